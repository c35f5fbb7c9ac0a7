package io.whizbang.outbox;

import io.whizbang.handler.HandlerMethods;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.Assert;

/**
 * Finds the topic handlers among the beans, once all singletons exist.
 */
public final class OutboxHandlerScanner implements SmartInitializingSingleton {

	private final ConfigurableListableBeanFactory beanFactory;

	private final TopicHandlers handlers;

	/**
	 * Creates a scanner.
	 * @param beanFactory where to look
	 * @param handlers where to add what is found
	 */
	public OutboxHandlerScanner(ConfigurableListableBeanFactory beanFactory, TopicHandlers handlers) {
		this.beanFactory = beanFactory;
		this.handlers = handlers;
	}

	@Override
	public void afterSingletonsInstantiated() {
		for (TopicHandler<?> handler : this.beanFactory.getBeansOfType(TopicHandler.class).values()) {
			this.handlers.add(handler);
		}
		for (TopicHandlerFinder finder : this.beanFactory.getBeansOfType(TopicHandlerFinder.class).values()) {
			finder.find().forEach(this.handlers::add);
		}
		HandlerMethods<OutboxHandler> methods = new HandlerMethods<>(this.beanFactory, OutboxHandler.class);
		methods.find().forEach((found) -> add(methods, found));
		this.handlers.complete();
	}

	private void add(HandlerMethods<OutboxHandler> methods, HandlerMethods.Found<OutboxHandler> found) {
		OutboxHandler annotation = found.annotation();
		String[] topics = annotation.topic();
		Assert.state(topics.length > 0, () -> "The @OutboxHandler %s names no topic".formatted(found.method()));
		for (String topic : topics) {
			this.handlers.add(new MethodTopicHandler(methods.resolve("topic", topic, found.method()), found,
					(retry) -> retry.adjusted(annotation.maxAttempts(), annotation.neverRetry())));
		}
	}

}
