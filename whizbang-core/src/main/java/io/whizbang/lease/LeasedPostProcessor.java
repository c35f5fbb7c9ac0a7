package io.whizbang.lease;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Has methods with {@link Leased} called with a lease, outside of their transactions.
 */
public final class LeasedPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {

	private static final long serialVersionUID = 1L;

	private final transient Supplier<LeaseSettings> settings;

	private transient @Nullable ConfigurableBeanFactory resolver;

	/**
	 * Creates a post-processor.
	 * @param leases where leases are, asked at the first call
	 * @param settings how leases are kept, asked at the first annotated bean
	 */
	public LeasedPostProcessor(Supplier<Leases> leases, Supplier<LeaseSettings> settings) {
		this.settings = settings;
		this.advisor = new DefaultPointcutAdvisor(new AnnotationMatchingPointcut(null, Leased.class, true),
				new LeasedInterceptor(leases, this::read));
		setBeforeExistingAdvisors(true);
		// After transactions, so that the lease comes around them; before @Async, so that
		// it comes into the other thread, and before @Scheduled, which calls the proxy.
		setOrder(LOWEST_PRECEDENCE - 16);
	}

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		super.setBeanFactory(beanFactory);
		this.resolver = (beanFactory instanceof ConfigurableBeanFactory configurable) ? configurable : null;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!(bean instanceof AopInfrastructureBean)) {
			refuseWrongMethods(AopUtils.getTargetClass(bean));
		}
		return super.postProcessAfterInitialization(bean, beanName);
	}

	private void refuseWrongMethods(Class<?> type) {
		if (AnnotationUtils.isCandidateClass(type, Leased.class)) {
			Map<Method, Leased> methods = MethodIntrospector.selectMethods(type,
					(MethodIntrospector.MetadataLookup<@Nullable Leased>) (method) -> AnnotatedElementUtils
						.findMergedAnnotation(method, Leased.class));
			methods.forEach(this::read);
		}
	}

	private LeasedMethod read(Method method) {
		Leased annotation = AnnotatedElementUtils.findMergedAnnotation(method, Leased.class);
		if (annotation == null) {
			throw new IllegalStateException("The method %s has no @Leased".formatted(method));
		}
		return read(method, annotation);
	}

	private LeasedMethod read(Method method, Leased annotation) {
		return LeasedMethod.of(method, annotation, this.settings.get().duration(), this.resolver);
	}

}
