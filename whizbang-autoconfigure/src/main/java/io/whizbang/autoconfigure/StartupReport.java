package io.whizbang.autoconfigure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.event.EventStore;
import io.whizbang.fanout.FanoutPlanners;
import io.whizbang.inbox.Receptors;
import io.whizbang.job.JobHandlers;
import io.whizbang.join.Joins;
import io.whizbang.lease.Leases;
import io.whizbang.outbox.TopicHandlers;
import io.whizbang.perspective.PerspectiveHandler;
import io.whizbang.perspective.PerspectiveHandlers;
import io.whizbang.queue.QueueConsumers;
import io.whizbang.timer.Timers;
import io.whizbang.transport.Transport;
import io.whizbang.worker.PostgresListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Says in one line, once the application has started, what of Whizbang is in it.
 */
final class StartupReport implements ApplicationListener<ContextRefreshedEvent> {

	private static final Logger logger = LoggerFactory.getLogger("io.whizbang.Whizbang");

	private static final int MANY_NAMES = 10;

	private final ApplicationContext context;

	private final WhizbangDatabase database;

	private final InstanceInfo instance;

	StartupReport(ApplicationContext context, WhizbangDatabase database, InstanceInfo instance) {
		this.context = context;
		this.database = database;
		this.instance = instance;
	}

	/** Contexts below this one, as that of a management port, tell of theirs as well. */
	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		if (event.getApplicationContext() == this.context) {
			logger.info(line());
		}
	}

	String line() {
		String version = StartupReport.class.getPackage().getImplementationVersion();
		List<String> features = new ArrayList<>();
		add(features, "outbox", TopicHandlers.class, TopicHandlers::topics);
		add(features, "inbox", Receptors.class, Receptors::names);
		add(features, "events", EventStore.class, (events) -> List.of());
		add(features, "perspectives", PerspectiveHandlers.class,
				(handlers) -> handlers.stream().map(PerspectiveHandler::name).distinct().toList());
		add(features, "timers", Timers.class, (timers) -> List.of());
		add(features, "jobs", JobHandlers.class, JobHandlers::names);
		add(features, "fan-outs", FanoutPlanners.class, FanoutPlanners::topics);
		add(features, "joins", Joins.class, (joins) -> List.of());
		add(features, "work queues", QueueConsumers.class, QueueConsumers::queues);
		add(features, "leases", Leases.class, (leases) -> List.of());
		List<String> transports = this.context.getBeanProvider(Transport.class).stream().map(Transport::name).toList();
		if (!transports.isEmpty()) {
			features.add("transports" + names(transports));
		}
		return "Whizbang%s for service '%s' in schema '%s': %s; %s".formatted((version != null) ? " " + version : "",
				this.instance.serviceName(), this.database.schema(), String.join(", ", features), waking());
	}

	private <T> void add(List<String> features, String label, Class<T> type, Function<T, Collection<String>> names) {
		T bean = this.context.getBeanProvider(type).getIfAvailable();
		if (bean != null) {
			features.add(label + names(names.apply(bean)));
		}
	}

	private static String names(Collection<String> names) {
		if (names.isEmpty()) {
			return "";
		}
		List<String> shown = new ArrayList<>(names.stream().sorted().limit(MANY_NAMES).toList());
		if (names.size() > MANY_NAMES) {
			shown.add("%d more".formatted(names.size() - MANY_NAMES));
		}
		return " " + shown;
	}

	private String waking() {
		return (this.context.getBeanProvider(PostgresListener.class).getIfAvailable() != null)
				? "woken by notifications" : "polling only";
	}

}
