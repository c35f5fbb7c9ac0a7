package io.whizbang.autoconfigure.diagnostics;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.whizbang.event.EventStore;
import io.whizbang.fanout.Fanouts;
import io.whizbang.inbox.Inbox;
import io.whizbang.inbox.InboxGuard;
import io.whizbang.job.Jobs;
import io.whizbang.join.Joins;
import io.whizbang.lease.Leases;
import io.whizbang.letter.DeadLetters;
import io.whizbang.outbox.Outbox;
import io.whizbang.perspective.Perspectives;
import io.whizbang.queue.Queues;
import io.whizbang.queue.WorkQueue;
import io.whizbang.timer.Timers;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Explains that a bean is missing because its feature is switched off. Comes before Boot,
 * which would ask for a bean of one's own.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 100)
final class FeatureOffFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

	private static final String ALL = "whizbang.enabled";

	private static final String OUTBOX = "whizbang.outbox.enabled";

	/** What each needs, beside {@link #ALL}. */
	private static final Map<Class<?>, List<String>> FEATURES = features();

	private final Environment environment;

	FeatureOffFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	private static Map<Class<?>, List<String>> features() {
		Map<Class<?>, List<String>> features = new LinkedHashMap<>();
		features.put(Outbox.class, List.of(OUTBOX));
		features.put(Inbox.class, List.of("whizbang.inbox.enabled"));
		features.put(InboxGuard.class, List.of("whizbang.inbox.enabled"));
		features.put(EventStore.class, List.of("whizbang.events.enabled"));
		features.put(Perspectives.class, List.of("whizbang.perspectives.enabled", "whizbang.events.enabled"));
		features.put(Timers.class, List.of("whizbang.timers.enabled", OUTBOX));
		features.put(Jobs.class, List.of("whizbang.jobs.enabled"));
		features.put(Fanouts.class, List.of("whizbang.fanout.enabled", OUTBOX));
		features.put(Joins.class, List.of("whizbang.joins.enabled", OUTBOX));
		features.put(WorkQueue.class, List.of("whizbang.queues.enabled"));
		features.put(Queues.class, List.of("whizbang.queues.enabled"));
		features.put(Leases.class, List.of("whizbang.leases.enabled"));
		features.put(DeadLetters.class, List.of());
		return features;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
		Class<?> missing = (cause.getResolvableType() != null) ? cause.getResolvableType().resolve() : null;
		List<String> needed = (missing != null) ? FEATURES.get(missing) : null;
		if (missing == null || needed == null) {
			return null;
		}
		List<String> off = Stream.concat(Stream.of(ALL), needed.stream())
			.filter((property) -> !this.environment.getProperty(property, boolean.class, true))
			.toList();
		if (off.isEmpty()) {
			return null;
		}
		return new FailureAnalysis(
				"A bean of type %s is wanted, and there is none because %s is false.".formatted(missing.getName(),
						String.join(" and ", off)),
				"Remove %s=false, or what wants the bean.".formatted(String.join("=false and ", off)), cause);
	}

}
