package io.whizbang.perspective;

import java.lang.annotation.Annotation;
import java.util.List;

import io.whizbang.handler.BeanMethods;
import org.jspecify.annotations.Nullable;

/**
 * The methods that are called when a run begins, ends or is emptied.
 *
 * @param reset empties the model
 * @param resetStream removes what a stream has brought into the model
 * @param prepare creates what a run needs
 * @param retire removes what a run needed
 */
record HookMethods(@Nullable HookMethod reset, @Nullable HookMethod resetStream, @Nullable HookMethod prepare,
		@Nullable HookMethod retire) {

	static final List<Class<? extends Annotation>> ANNOTATIONS = List.of(OnReset.class, OnPrepare.class,
			OnRetire.class);

	static HookMethods find(BeanMethods methods, String beanName, Class<?> type) {
		List<HookMethod> resets = hooks(methods, beanName, type, OnReset.class);
		return new HookMethods(one(resets.stream().filter((hook) -> !hook.takesStream()).toList(), OnReset.class),
				one(resets.stream().filter(HookMethod::takesStream).toList(), OnReset.class),
				one(hooks(methods, beanName, type, OnPrepare.class), OnPrepare.class),
				one(hooks(methods, beanName, type, OnRetire.class), OnRetire.class));
	}

	private static List<HookMethod> hooks(BeanMethods methods, String beanName, Class<?> type,
			Class<? extends Annotation> annotation) {
		return methods.find(beanName, type, annotation)
			.stream()
			.map((method) -> new HookMethod(method, annotation == OnReset.class))
			.toList();
	}

	private static @Nullable HookMethod one(List<HookMethod> hooks, Class<? extends Annotation> annotation) {
		if (hooks.size() > 1) {
			throw new IllegalStateException(
					"Both %s and %s have @%s, and one of them would be called; remove it from one"
						.formatted(hooks.get(0), hooks.get(1), annotation.getSimpleName()));
		}
		return hooks.isEmpty() ? null : hooks.get(0);
	}

}
