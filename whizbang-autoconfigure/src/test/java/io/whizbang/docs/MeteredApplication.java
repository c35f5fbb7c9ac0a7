package io.whizbang.docs;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.whizbang.event.EventStore;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.fanout.FanoutSlice;
import io.whizbang.fanout.MicrometerFanoutListener;
import io.whizbang.inbox.Inbox;
import io.whizbang.inbox.IncomingMessage;
import io.whizbang.inbox.MessageHandler;
import io.whizbang.job.JobRun;
import io.whizbang.job.MicrometerJobListener;
import io.whizbang.job.RunStatus;
import io.whizbang.join.JoinResult;
import io.whizbang.join.JoinStatus;
import io.whizbang.join.MicrometerJoinListener;
import io.whizbang.lease.MicrometerLeaseListener;
import io.whizbang.letter.AuditEntry.Action;
import io.whizbang.message.Envelope;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import io.whizbang.observation.JobObservations;
import io.whizbang.observation.MicrometerLetterListener;
import io.whizbang.observation.MicrometerWorkListener;
import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxHandler;
import io.whizbang.perspective.MicrometerPerspectiveListener;
import io.whizbang.perspective.On;
import io.whizbang.perspective.Perspective;
import io.whizbang.perspective.PerspectiveRun;
import io.whizbang.queue.MicrometerQueueListener;
import io.whizbang.queue.QueueBatch;
import io.whizbang.queue.QueuedMessage;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.work.Claim;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/**
 * An application in which everything has happened that is counted. What goes well is
 * done, and what goes wrong is told to the listeners that count it.
 */
final class MeteredApplication implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private final String atStart;

	MeteredApplication(PostgresDatabase database) {
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.properties("spring.datasource.url=" + database.jdbcUrl(),
					"spring.datasource.username=" + database.server().username(),
					"spring.datasource.password=" + database.server().password(), "spring.liquibase.enabled=false",
					"spring.flyway.enabled=false", "whizbang.events.types[opened].type=" + Opened.class.getName())
			.run();
		this.atStart = registry().scrape();
		work();
		trouble();
	}

	PrometheusMeterRegistry registry() {
		return this.context.getBean(PrometheusMeterRegistry.class);
	}

	/** What was there before anything happened. */
	String atStart() {
		return this.atStart;
	}

	private void work() {
		this.context.getBean(Outbox.class).enqueue("orders", "A", "an order");
		this.context.getBean(Inbox.class)
			.receive(IncomingMessage.from("bank", "17").topic("payments").payload("\"paid\"").build());
		this.context.getBean(EventStore.class).append("A", ExpectedVersion.none(), new Opened("ada"));
		Await.until("a delivered, a handled and a claimed message",
				() -> registry().find("whizbang.deliver").timer() != null
						&& registry().find("whizbang.handle").timer() != null
						&& registry().find("whizbang.work.ended").counter() != null
						&& registry().find("whizbang.exchange").timer() != null
						&& registry().find("whizbang.work.claimed").counter() != null);
	}

	private void trouble() {
		Exception failure = new IllegalStateException("test");
		Work work = new Work(new Claim(1, UUID.randomUUID()), 1, 0, null, new Envelope(MessageId.next(), "orders",
				"java.lang.String", null, Map.of(), "\"an order\"", Instant.EPOCH));
		MicrometerWorkListener works = this.context.getBean(MicrometerWorkListener.class);
		works.roundFailed(Queue.OUTBOX, failure);
		works.claimsLost(Queue.OUTBOX, 1);
		works.messagesRecovered(Queue.OUTBOX, 1);
		works.orphansFound(Queue.OUTBOX, 1);
		works.unhandled(Queue.INBOX, work);
		MicrometerLetterListener letters = this.context.getBean(MicrometerLetterListener.class);
		letters.decided(Action.REPLAYED, Queue.OUTBOX, 1);
		letters.decided(Action.DISCARDED, Queue.OUTBOX, 1);
		leases(failure);
		perspectives(failure);
		jobs(failure);
		fanouts(failure);
		joins(failure);
		queues(failure, work.envelope());
	}

	private void leases(Exception failure) {
		MicrometerLeaseListener leases = this.context.getBean(MicrometerLeaseListener.class);
		leases.acquired("reports");
		leases.refused("reports");
		leases.lost("reports");
		leases.renewalFailed(failure);
	}

	private void perspectives(Exception failure) {
		MicrometerPerspectiveListener perspectives = this.context.getBean(MicrometerPerspectiveListener.class);
		PerspectiveRun run = new PerspectiveRun("accounts", 1, 1);
		perspectives.applied(run, 1, 1, Duration.ofMillis(1));
		perspectives.failed(run, StreamId.of("A"), 1, 1, failure);
		perspectives.shardLost(run);
		perspectives.roundFailed(failure);
	}

	private void jobs(Exception failure) {
		MicrometerJobListener jobs = this.context.getBean(MicrometerJobListener.class);
		JobRun run = new JobRun(1, "nightly", Instant.EPOCH, false, 1, 1);
		jobs.started(run, Duration.ofMillis(1));
		this.context.getBean(JobObservations.class).run("nightly", 1, 1, () -> {
		});
		jobs.ended(run, RunStatus.FAILED, Duration.ofMillis(1), failure);
		jobs.lost(run);
		jobs.missed("nightly", Instant.EPOCH);
		jobs.roundFailed(failure);
	}

	private void fanouts(Exception failure) {
		MicrometerFanoutListener fanouts = this.context.getBean(MicrometerFanoutListener.class);
		FanoutSlice slice = new FanoutSlice("statements", "monthly", "tenant-1", null, Instant.EPOCH);
		fanouts.planned("statements", 1);
		fanouts.ran("statements", Duration.ZERO, Duration.ofMillis(1));
		fanouts.failed("statements", failure);
		fanouts.refused("statements", "no shard");
		fanouts.completed(slice, Duration.ZERO, Duration.ofMillis(1));
		fanouts.repeated(slice);
		fanouts.roundFailed(failure);
	}

	private void joins(Exception failure) {
		MicrometerJoinListener joins = this.context.getBean(MicrometerJoinListener.class);
		JoinResult result = new JoinResult("018f0000-0000-7000-8000-000000000000", null, JoinStatus.DONE, 1, 1, 0,
				Map.of());
		joins.counted(1);
		joins.closed(result);
		joins.followUpFailed(result, failure);
		joins.roundFailed(failure);
	}

	private void queues(Exception failure, Envelope envelope) {
		MicrometerQueueListener queues = this.context.getBean(MicrometerQueueListener.class);
		QueueBatch batch = new QueueBatch("pictures", null, UUID.randomUUID(), UUID.randomUUID(),
				List.of(new QueuedMessage(1, 1, "pictures", envelope)));
		queues.taken(batch, Duration.ofMillis(1));
		queues.consumed(batch, 1, Duration.ofMillis(1));
		queues.failed(batch, failure, true);
		queues.lost(batch);
		queues.roundFailed(failure);
	}

	@Override
	public void close() {
		this.context.close();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Handlers.class, Accounts.class })
	static class Application {

	}

	record Opened(String owner) {
	}

	@Perspective(name = "accounts")
	static class Accounts {

		@On
		void opened(Opened opened) {
		}

	}

	static class Handlers {

		@OutboxHandler("orders")
		void deliver(String order) {
		}

		@MessageHandler(topic = "payments")
		void book(String payment) {
		}

	}

}
