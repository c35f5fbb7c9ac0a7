package io.whizbang.benchmarks;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.whizbang.message.JsonMessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.Destinations;
import io.whizbang.outbox.OutboxPublisher;
import io.whizbang.outbox.OutboxSettings;
import io.whizbang.outbox.TopicCheck;
import io.whizbang.outbox.TopicHandler;
import io.whizbang.outbox.TopicHandlers;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaMode;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.timer.JdbcTimerStore;
import io.whizbang.timer.JdbcTimers;
import io.whizbang.timer.NewTimer;
import io.whizbang.timer.TimerSettings;
import io.whizbang.timer.Timers;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkListener;
import io.whizbang.worker.QueueWork;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Whizbang's timers with its default settings, wired as the starter does it, with a
 * handler in the application.
 */
final class WhizbangTimers implements TimerContender {

	static final String SCHEMA = "whizbang";

	private static final String TOPIC = "timers";

	private final DataSource dataSource;

	private final JsonMessageCodec codec = new JsonMessageCodec(JsonMapper.builder().build());

	private final DelayedSignal signal = new DelayedSignal();

	private final Timers timers;

	private @Nullable WhizbangWorker worker;

	WhizbangTimers(DataSource dataSource) {
		this.dataSource = dataSource;
		new SchemaInstaller(dataSource, SchemaSettings.of(SCHEMA, SchemaMode.MIGRATE)).install();
		this.timers = new JdbcTimers(new JdbcTimerStore(dataSource, SCHEMA), this.codec, TopicCheck.NONE,
				MessageObservations.NONE, TimerSettings.defaults(), this.signal);
	}

	@Override
	public String name() {
		return "whizbang";
	}

	@Override
	public void schedule(List<Instant> dues) {
		this.timers
			.scheduleAll(dues.stream().map((due) -> NewTimer.to(TOPIC, due.toString()).at(due).build()).toList());
	}

	@Override
	public void start(Consumer<Instant> fired) {
		TopicHandlers handlers = new TopicHandlers();
		handlers.add(TopicHandler.of(TOPIC, String.class, (payload, envelope) -> fired.accept(Instant.parse(payload))));
		handlers.complete();
		OutboxPublisher publisher = new OutboxPublisher(new Destinations(Map.of(), null, Set.of(), handlers),
				this.codec, OutboxSettings.defaults(), MessageObservations.NONE);
		this.worker = WhizbangWorker.start(this.dataSource, SCHEMA,
				new QueueWork(Queue.OUTBOX, publisher, publisher, WorkListener.NONE));
		this.signal.target = this.worker.signal();
	}

	@Override
	public void stop() {
		if (this.worker != null) {
			this.worker.close();
			this.worker = null;
		}
	}

	@Override
	public void close() {
		stop();
	}

}
