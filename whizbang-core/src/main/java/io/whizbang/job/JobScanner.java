package io.whizbang.job;

import java.time.Duration;
import java.util.Map;

import io.whizbang.handler.BeanMethod;
import io.whizbang.handler.BeanMethods;
import io.whizbang.work.DefinitionException;
import io.whizbang.work.RetryPolicy;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Finds job handlers, and the jobs that methods define, among the beans once all
 * singletons exist.
 */
public final class JobScanner implements SmartInitializingSingleton {

	private final ConfigurableListableBeanFactory beanFactory;

	private final BeanMethods methods;

	private final JobHandlers handlers;

	private final RetryPolicy retry;

	/**
	 * Creates a scanner.
	 * @param beanFactory where to look
	 * @param handlers where to add what is found
	 * @param retry what is configured for runs that fail
	 */
	public JobScanner(ConfigurableListableBeanFactory beanFactory, JobHandlers handlers, RetryPolicy retry) {
		this.beanFactory = beanFactory;
		this.methods = new BeanMethods(beanFactory);
		this.handlers = handlers;
		this.retry = retry;
	}

	@Override
	@SuppressWarnings("rawtypes")
	public void afterSingletonsInstantiated() {
		Map<String, JobHandler> beans = this.beanFactory.getBeansOfType(JobHandler.class);
		beans.values().forEach(this.handlers::add);
		this.beanFactory.getBeansOfType(JobDefinition.class).values().forEach(this.handlers::define);
		this.methods.beans()
			.forEach((beanName, type) -> this.methods.find(beanName, type, WhizbangJob.class)
				.forEach((method) -> add(type, method)));
	}

	private void add(Class<?> type, BeanMethod<WhizbangJob> method) {
		WhizbangJob annotation = method.annotation();
		String name = annotation.name().isEmpty() ? type.getSimpleName() + "." + method.method().getName()
				: resolve("name", annotation.name(), method);
		method.check(annotation.cron().isEmpty() != annotation.every().isEmpty(),
				"must say when it runs: give cron or every, not both, and cron = \"-\" when it runs only when triggered");
		JobDefinition.Builder job = JobDefinition.of(name)
			.zone(resolve("zone", annotation.zone(), method))
			.misfire(annotation.misfire())
			.overlap(annotation.overlap())
			.enabled(isEnabled(method));
		if (annotation.misfire() == Misfire.CATCH_UP) {
			job.catchUp(annotation.catchUpMax());
		}
		if (annotation.maxAttempts() > 0) {
			job.retry(this.retry.withMaxAttempts(annotation.maxAttempts()));
		}
		if (!annotation.every().isEmpty()) {
			job.every(duration(resolve("interval", annotation.every(), method), method));
		}
		else {
			String cron = resolve("cron expression", annotation.cron(), method);
			if (!cron.equals("-")) {
				job.cron(cron);
			}
		}
		this.handlers.add(new MethodJobHandler(name, method));
		this.handlers.define(built(job, method));
	}

	private static JobDefinition built(JobDefinition.Builder job, BeanMethod<WhizbangJob> method) {
		try {
			return job.build();
		}
		catch (IllegalArgumentException ex) {
			throw new DefinitionException("The @WhizbangJob %s is wrong. %s".formatted(method, ex.getMessage()), ex);
		}
	}

	private boolean isEnabled(BeanMethod<WhizbangJob> method) {
		String enabled = resolve("enabled", method.annotation().enabled(), method);
		method.check(enabled.equals("true") || enabled.equals("false"),
				"must be enabled with true or false but says \"%s\"".formatted(enabled));
		return enabled.equals("true");
	}

	private static Duration duration(String text, BeanMethod<WhizbangJob> method) {
		try {
			return DurationFormatterUtils.detectAndParse(text, DurationFormat.Unit.MILLIS);
		}
		catch (IllegalArgumentException ex) {
			throw new DefinitionException(
					"The interval \"%s\" of the @WhizbangJob %s must be a duration such as 10m or PT10M".formatted(text,
							method),
					ex);
		}
	}

	private String resolve(String what, String text, BeanMethod<WhizbangJob> method) {
		return this.methods.resolve("%s \"%s\" of the @WhizbangJob %s".formatted(what, text, method), text);
	}

}
