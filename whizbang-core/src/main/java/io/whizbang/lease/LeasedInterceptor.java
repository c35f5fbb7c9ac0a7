package io.whizbang.lease;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.support.AopUtils;

/**
 * Calls a method with a lease, or not at all.
 */
final class LeasedInterceptor implements MethodInterceptor {

	private static final Logger logger = LoggerFactory.getLogger(LeasedInterceptor.class);

	private final Supplier<Leases> leases;

	private final Function<Method, LeasedMethod> reader;

	private final Map<Method, LeasedMethod> methods = new ConcurrentHashMap<>();

	/**
	 * Creates an interceptor.
	 * @param leases where leases are, asked at the first call
	 * @param reader reads the annotation of a method
	 */
	LeasedInterceptor(Supplier<Leases> leases, Function<Method, LeasedMethod> reader) {
		this.leases = leases;
		this.reader = reader;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		Method specific = AopUtils.getMostSpecificMethod(invocation.getMethod(),
				(target != null) ? AopUtils.getTargetClass(target) : invocation.getMethod().getDeclaringClass());
		LeasedMethod method = this.methods.computeIfAbsent(specific, this.reader);
		String name = method.name(target, invocation.getArguments());
		Optional<Lease> lease = this.leases.get().tryAcquire(name, method.options());
		if (lease.isEmpty()) {
			logger.debug("{} is skipped: somebody else has the lease \"{}\"", specific, name);
			return method.nothing();
		}
		try (Lease held = lease.get()) {
			return proceed(invocation, held);
		}
	}

	private static @Nullable Object proceed(MethodInvocation invocation, Lease lease) throws Throwable {
		Interruption interruption = new Interruption(Thread.currentThread());
		lease.onLost(interruption::strike);
		Object result;
		try (CurrentLease.Scope scope = CurrentLease.open(lease)) {
			result = invocation.proceed();
		}
		finally {
			interruption.end();
		}
		lease.throwIfLost();
		return result;
	}

	/** Interrupts a thread, but not when it does something else already. */
	private static final class Interruption {

		private final Thread thread;

		private boolean ended;

		private boolean struck;

		Interruption(Thread thread) {
			this.thread = thread;
		}

		synchronized void strike() {
			if (!this.ended) {
				this.struck = true;
				this.thread.interrupt();
			}
		}

		synchronized void end() {
			this.ended = true;
			if (this.struck) {
				// It was meant for the method, which has ended.
				Thread.interrupted();
			}
		}

	}

}
