package io.whizbang.inbox;

import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

import io.whizbang.handler.HandlerMethods;
import io.whizbang.work.DefinitionException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Finds the receptors among the beans, once all singletons exist.
 */
public final class ReceptorScanner implements SmartInitializingSingleton {

	private final ConfigurableListableBeanFactory beanFactory;

	private final Receptors receptors;

	/**
	 * Creates a scanner.
	 * @param beanFactory where to look
	 * @param receptors where to add what is found
	 */
	public ReceptorScanner(ConfigurableListableBeanFactory beanFactory, Receptors receptors) {
		this.beanFactory = beanFactory;
		this.receptors = receptors;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.beanFactory.getBeansOfType(Receptor.class).forEach((beanName, receptor) -> {
			String name = receptor.name();
			this.receptors.add((name != null) ? name : beanName, receptor);
		});
		HandlerMethods<MessageHandler> methods = new HandlerMethods<>(this.beanFactory, MessageHandler.class);
		methods.find().forEach((found) -> {
			MethodReceptor receptor = receptor(methods, found);
			this.receptors.add(receptor.name(), receptor);
		});
	}

	private static MethodReceptor receptor(HandlerMethods<MessageHandler> methods,
			HandlerMethods.Found<MessageHandler> found) {
		MessageHandler annotation = found.annotation();
		String name = annotation.name().isEmpty() ? found.beanName() + "." + found.method().method().getName()
				: methods.resolve("name", annotation.name(), found.method());
		return new MethodReceptor(found, name, resolved(methods, found, "type", annotation.type()),
				resolved(methods, found, "topic", annotation.topic()), timeout(methods, found));
	}

	private static Set<String> resolved(HandlerMethods<MessageHandler> methods,
			HandlerMethods.Found<MessageHandler> found, String what, String[] texts) {
		return Arrays.stream(texts)
			.map((text) -> methods.resolve(what, text, found.method()))
			.collect(Collectors.toUnmodifiableSet());
	}

	private static @Nullable Duration timeout(HandlerMethods<MessageHandler> methods,
			HandlerMethods.Found<MessageHandler> found) {
		if (found.annotation().timeout().isEmpty()) {
			return null;
		}
		String text = methods.resolve("timeout", found.annotation().timeout(), found.method());
		try {
			Duration timeout = DurationFormatterUtils.detectAndParse(text, DurationFormat.Unit.MILLIS);
			if (!timeout.isNegative() && !timeout.isZero()) {
				return timeout;
			}
		}
		catch (IllegalArgumentException ex) {
			throw new DefinitionException(
					"The timeout \"%s\" of the @MessageHandler %s is no duration; write it as 500ms, 30s or PT1M"
						.formatted(text, found.method()),
					ex);
		}
		throw new DefinitionException(
				"The timeout \"%s\" of the @MessageHandler %s must be above 0".formatted(text, found.method()));
	}

}
