package io.whizbang.lease;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import io.whizbang.work.DefinitionException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ExpressionException;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * A method with {@link Leased}, checked and with its name and durations resolved.
 */
final class LeasedMethod {

	private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	private static final String EXPRESSION = "#{";

	private final Method method;

	private final String name;

	private final @Nullable Expression expression;

	private final LeaseOptions options;

	private LeasedMethod(Method method, String name, @Nullable Expression expression, LeaseOptions options) {
		this.method = method;
		this.name = name;
		this.expression = expression;
		this.options = options;
	}

	static LeasedMethod of(Method method, Leased annotation, Duration defaultDuration,
			@Nullable ConfigurableBeanFactory beanFactory) {
		checkShape(method);
		try {
			String name = resolve(annotation.value(), beanFactory);
			Expression expression = name.contains(EXPRESSION) ? parse(method, name) : null;
			if (expression == null) {
				LeaseLimits.checkName(name);
			}
			String atMost = resolve(annotation.atMost(), beanFactory);
			LeaseOptions options = LeaseOptions.lasting(atMost.isBlank() ? defaultDuration : duration(atMost))
				.withAtLeast(duration(resolve(annotation.atLeast(), beanFactory)))
				.withLabel(name);
			return new LeasedMethod(method, name, expression, annotation.renew() ? options : options.withoutRenewal());
		}
		catch (IllegalArgumentException ex) {
			throw new DefinitionException("The @Leased method %s is refused: %s".formatted(method, ex.getMessage()),
					ex);
		}
	}

	private static void checkShape(Method method) {
		int modifiers = method.getModifiers();
		check(method, !Modifier.isPrivate(modifiers), "must not be private: calls of it cannot be intercepted");
		check(method, !Modifier.isStatic(modifiers), "must not be static: calls of it cannot be intercepted");
		check(method, !Modifier.isFinal(modifiers), "must not be final: calls of it cannot be intercepted");
		Class<?> type = method.getReturnType();
		check(method, type == void.class || !type.isPrimitive(),
				"must not return the primitive %s: there is none for a call that is skipped; return %s or void"
					.formatted(type.getName(), "an object"));
		check(method,
				!Future.class.isAssignableFrom(type) && !CompletionStage.class.isAssignableFrom(type)
						&& ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) == null,
				"must not return %s: the lease would be released before the work is done".formatted(type.getName()));
	}

	private static void check(Method method, boolean holds, String rule) {
		DefinitionException.check(holds, () -> "The @Leased method %s %s".formatted(method, rule));
	}

	private static String resolve(String text, @Nullable ConfigurableBeanFactory beanFactory) {
		try {
			String resolved = (beanFactory != null) ? beanFactory.resolveEmbeddedValue(text) : text;
			return (resolved != null) ? resolved : "";
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"%s. Set the property, or give it a default, as in ${name:default}".formatted(ex.getMessage()), ex);
		}
	}

	private static Duration duration(String text) {
		try {
			return DurationFormatterUtils.detectAndParse(text);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("\"%s\" must be a duration such as 5m or PT5M".formatted(text), ex);
		}
	}

	private static Expression parse(Method method, String name) {
		try {
			return new SpelExpressionParser().parseExpression(name, new TemplateParserContext());
		}
		catch (ExpressionException ex) {
			throw new DefinitionException("The @Leased method %s is refused: its name \"%s\" cannot be read: %s"
				.formatted(method, name, ex.getMessage()), ex);
		}
	}

	String name(@Nullable Object target, @Nullable Object[] arguments) {
		if (this.expression == null) {
			return this.name;
		}
		MethodBasedEvaluationContext context = new MethodBasedEvaluationContext((target != null) ? target : this,
				this.method, arguments, NAMES);
		try {
			return String.valueOf(this.expression.getValue(context, String.class));
		}
		catch (EvaluationException ex) {
			throw new IllegalStateException(
					"The name \"%s\" of the @Leased method %s cannot be computed: %s. A parameter has a hash of its own: "
						.formatted(this.name, this.method, ex.getMessage()) + "#{#supplier}, or #{#p0} for the first",
					ex);
		}
	}

	LeaseOptions options() {
		return this.options;
	}

	/** What a call returns that is skipped. */
	@Nullable Object nothing() {
		return (this.method.getReturnType() == Optional.class) ? Optional.empty() : null;
	}

}
