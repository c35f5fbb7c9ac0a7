package io.whizbang.timer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.whizbang.handler.HandlerMethods;
import io.whizbang.outbox.MethodTopicHandler;
import io.whizbang.outbox.TopicHandler;
import io.whizbang.outbox.TopicHandlerFinder;
import io.whizbang.work.DefinitionException;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds the {@link OnTimer} methods among the beans.
 */
public final class OnTimerFinder implements TopicHandlerFinder {

	private final HandlerMethods<OnTimer> methods;

	/**
	 * Creates a finder.
	 * @param beanFactory where to look
	 */
	public OnTimerFinder(ConfigurableListableBeanFactory beanFactory) {
		this.methods = new HandlerMethods<>(beanFactory, OnTimer.class, Map.of(DueTimer.class, DueTimer::of));
	}

	@Override
	public Collection<TopicHandler<?>> find() {
		List<TopicHandler<?>> handlers = new ArrayList<>();
		for (HandlerMethods.Found<OnTimer> found : this.methods.find()) {
			OnTimer annotation = found.annotation();
			String[] topics = annotation.topic();
			DefinitionException.check(topics.length > 0,
					() -> "The @OnTimer %s names no topic; name at least one".formatted(found.method()));
			for (String topic : topics) {
				handlers.add(new MethodTopicHandler(this.methods.resolve("topic", topic, found.method()), found,
						(retry) -> retry.adjusted(annotation.maxAttempts(), annotation.neverRetry())));
			}
		}
		return handlers;
	}

}
