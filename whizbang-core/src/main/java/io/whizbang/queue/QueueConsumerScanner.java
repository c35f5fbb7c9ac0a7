package io.whizbang.queue;

import io.whizbang.handler.BeanMethod;
import io.whizbang.handler.BeanMethods;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds the {@link QueueConsumer} methods among the beans, once all singletons exist.
 */
public final class QueueConsumerScanner implements SmartInitializingSingleton {

	private final BeanMethods methods;

	private final QueueConsumers consumers;

	private final QueueSettings settings;

	/**
	 * Creates a scanner.
	 * @param beanFactory where to look
	 * @param consumers where to add what is found
	 * @param settings what is configured
	 */
	public QueueConsumerScanner(ConfigurableListableBeanFactory beanFactory, QueueConsumers consumers,
			QueueSettings settings) {
		this.methods = new BeanMethods(beanFactory);
		this.consumers = consumers;
		this.settings = settings;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.methods.beans()
			.forEach((beanName, type) -> this.methods.find(beanName, type, QueueConsumer.class).forEach(this::add));
	}

	private void add(BeanMethod<QueueConsumer> found) {
		QueueConsumer annotation = found.annotation();
		String queue = resolve("queue", annotation.queue(), found);
		found.check(annotation.batchSize() >= 0 && annotation.batchSize() <= QueueSettings.MAX_BATCH,
				"must have a batchSize from 0 to %d but says %d".formatted(QueueSettings.MAX_BATCH,
						annotation.batchSize()));
		found.check(annotation.maxAttempts() >= 0,
				"must have maxAttempts of 0 or more but says %d".formatted(annotation.maxAttempts()));
		QueueLimits.checkQueue(queue);
		ConsumerMethod method = new ConsumerMethod(found);
		int concurrency = concurrency(found);
		this.consumers.add(new Consumer(queue, (concurrency > 0) ? concurrency : this.settings.concurrency(),
				(annotation.batchSize() > 0) ? annotation.batchSize() : this.settings.batchSize(), method.together(),
				annotation.transactional(),
				this.settings.retry().adjusted(annotation.maxAttempts(), annotation.neverRetry()), method));
	}

	private int concurrency(BeanMethod<QueueConsumer> found) {
		String text = resolve("concurrency", found.annotation().concurrency(), found);
		found.check(text.matches("[0-9]{1,4}"),
				"must have a concurrency from 0 to 9999 but says \"%s\"".formatted(text));
		return Integer.parseInt(text);
	}

	private String resolve(String what, String text, BeanMethod<QueueConsumer> found) {
		return this.methods.resolve("%s \"%s\" of the @QueueConsumer %s".formatted(what, text, found), text);
	}

}
