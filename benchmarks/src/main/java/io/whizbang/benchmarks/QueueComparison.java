package io.whizbang.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.JdbcMessageStore;
import io.whizbang.coordinator.TransactionalStore;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.queue.JdbcQueueStore;
import io.whizbang.queue.JdbcWorkQueue;
import io.whizbang.queue.QueueBatch;
import io.whizbang.queue.QueueMessage;
import io.whizbang.queue.QueueSettings;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaMode;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkSignal;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * How fast consumers take the messages of keys and acknowledge them, beside a loop that
 * knows all keys, selects and deletes.
 */
final class QueueComparison {

	static final List<Integer> PER_KEY = List.of(1, 10, 100);

	private static final String SCHEMA = "whizbang";

	private static final int CONSUMERS = 8;

	private final JdbcTemplate jdbc;

	private final JdbcWorkQueue queues;

	private final int keys;

	QueueComparison(DataSource dataSource, int keys) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.keys = keys;
		new SchemaInstaller(dataSource, SchemaSettings.of(SCHEMA, SchemaMode.MIGRATE)).install();
		this.jdbc.execute("create table if not exists raw_queue (key int, seq bigint generated always as identity, "
				+ "payload text not null, primary key (key, seq))");
		this.queues = new JdbcWorkQueue(
				new TransactionalStore(dataSource, new JdbcMessageStore(SCHEMA), Queue.QUEUES, true, WorkSignal.NONE),
				new JdbcQueueStore(dataSource, SCHEMA), new JsonMessageCodec(JsonMapper.builder().build()),
				MessageObservations.NONE, QueueSettings.defaults(),
				new InstanceInfo("benchmark", "localhost", ProcessHandle.current().pid(), Map.of()), WorkSignal.NONE);
	}

	static String name(int perKey) {
		return "queue, %d of each key, messages/s: ".formatted(perKey);
	}

	void run(int rounds, Measurements measurements) throws InterruptedException {
		measure(new Measurements());
		for (int round = 0; round < rounds; round++) {
			measure(measurements);
		}
	}

	private void measure(Measurements measurements) throws InterruptedException {
		for (int perKey : PER_KEY) {
			this.jdbc.update("insert into raw_queue (key, payload) select k, '1' from generate_series(1, ?) k, "
					+ "generate_series(1, ?)", this.keys, perKey);
			this.jdbc.execute("vacuum analyze raw_queue");
			this.jdbc.execute("checkpoint");
			AtomicInteger next = new AtomicInteger();
			measurements.add(name(perKey) + "raw loop", drain(perKey, () -> takeRaw(next.incrementAndGet())));
			List<QueueMessage> messages = IntStream.range(0, this.keys * perKey)
				.mapToObj((i) -> QueueMessage.to("q", 1).key("key-" + i % this.keys).build())
				.toList();
			for (int from = 0; from < messages.size(); from += 1000) {
				this.queues.enqueueAll(messages.subList(from, Math.min(from + 1000, messages.size())));
			}
			this.jdbc.execute("vacuum analyze whizbang.wh_queue_keys, whizbang.wh_queue_messages");
			this.jdbc.execute("checkpoint");
			measurements.add(name(perKey) + "whizbang", drain(perKey, this::take));
		}
	}

	private int takeRaw(int key) {
		if (key > this.keys) {
			return 0;
		}
		List<Long> numbers = this.jdbc.query("select seq, payload from raw_queue where key = ? order by seq",
				(row, index) -> row.getLong(1), key);
		return this.jdbc.update("delete from raw_queue where key = ? and seq = any (?)", key,
				numbers.toArray(Long[]::new));
	}

	private int take() {
		QueueBatch batch = this.queues.dequeueBatch("q").orElse(null);
		if (batch == null) {
			return 0;
		}
		this.queues.ack(batch);
		return batch.messages().size();
	}

	private double drain(int perKey, Take take) throws InterruptedException {
		int all = this.keys * perKey;
		AtomicInteger taken = new AtomicInteger();
		long start = System.nanoTime();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < CONSUMERS; i++) {
			Thread thread = new Thread(() -> {
				for (int count = take.next(); count > 0; count = take.next()) {
					taken.addAndGet(count);
				}
			}, "consumer-" + i);
			thread.start();
			threads.add(thread);
		}
		for (Thread thread : threads) {
			thread.join();
		}
		if (taken.get() != all) {
			throw new IllegalStateException("%d messages came, not %d".formatted(taken.get(), all));
		}
		return all / ((System.nanoTime() - start) / 1e9);
	}

	/** Takes the messages of a key, and ends them. */
	private interface Take {

		/** Returns how many there were; 0 when nothing is left. */
		int next();

	}

}
