package io.whizbang.fanout;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.whizbang.handler.HandlerMethods;
import io.whizbang.outbox.TopicHandler;
import io.whizbang.outbox.TopicHandlerFinder;
import io.whizbang.work.DefinitionException;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds the {@link FanoutHandler} methods among the beans.
 */
public final class FanoutHandlerFinder implements TopicHandlerFinder {

	private final HandlerMethods<FanoutHandler> methods;

	private final Supplier<FanoutParts> parts;

	/**
	 * Creates a finder.
	 * @param beanFactory where to look
	 * @param parts what fan-outs are made of, asked for when a handler was found
	 */
	public FanoutHandlerFinder(ConfigurableListableBeanFactory beanFactory, Supplier<FanoutParts> parts) {
		this.methods = new HandlerMethods<>(beanFactory, FanoutHandler.class,
				Map.of(FanoutSlice.class, FanoutSlice::of));
		this.parts = parts;
	}

	@Override
	public Collection<TopicHandler<?>> find() {
		List<TopicHandler<?>> handlers = new ArrayList<>();
		this.methods.find().forEach((found) -> add(found, handlers));
		return handlers;
	}

	private void add(HandlerMethods.Found<FanoutHandler> found, List<TopicHandler<?>> handlers) {
		FanoutHandler annotation = found.annotation();
		DefinitionException.check(found.method().payloadType() == null,
				() -> "The @FanoutHandler %s may take a FanoutSlice, Envelope, MessageId and Map<String, String>, but not %s"
					.formatted(found.method(), found.method().payloadType()));
		String topic = this.methods.resolve("topic", annotation.topic(), found.method());
		DefinitionException.check(annotation.workKey().length > 0,
				() -> "The @FanoutHandler %s names no work key".formatted(found.method()));
		for (String text : annotation.workKey()) {
			String workKey = this.methods.resolve("work key", text, found.method());
			try {
				FanoutLimits.checkTopic(topic);
				FanoutLimits.checkWorkKey(workKey);
			}
			catch (IllegalArgumentException ex) {
				throw new DefinitionException(
						"The @FanoutHandler %s is wrong. %s".formatted(found.method(), ex.getMessage()), ex);
			}
			handlers.add(new SliceHandler(FanoutSlice.messageTopic(topic, workKey), annotation, found.method(),
					found.bean(), this.parts.get()));
		}
	}

}
