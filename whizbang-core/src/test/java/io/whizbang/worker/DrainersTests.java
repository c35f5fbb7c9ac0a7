package io.whizbang.worker;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DrainersTests {

	private static final int CONCURRENCY = 4;

	private final PumpFixture fixture = new PumpFixture((settings) -> settings.withConcurrency(CONCURRENCY));

	private final ManualExecutor executor = this.fixture.executor;

	private final RecordingHandler handler = this.fixture.handler;

	@Test
	void wakesOneThreadMoreAtATime() {
		enqueue(10);
		this.fixture.pump.step();
		assertThat(this.executor.size()).isEqualTo(1);
		this.executor.runFirst();
		assertThat(this.handler.started).hasSize(10);
		assertThat(this.executor.size()).isEqualTo(1);
	}

	@Test
	void usesAllThreadsWhenHandlersTakeTheirTime() {
		enqueue(10);
		AtomicInteger running = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		this.handler.before = (batch) -> {
			most.accumulateAndGet(running.incrementAndGet(), Math::max);
			// What starts while a call runs.
			this.executor.run();
			running.decrementAndGet();
		};
		this.fixture.pump.step();
		this.executor.run();
		assertThat(most).hasValue(CONCURRENCY);
		assertThat(this.handler.started).hasSize(10);
	}

	@Test
	void hiresAgainAfterAThreadThatFoundNothingToDo() {
		enqueue(2);
		this.fixture.pump.step();
		this.executor.run();
		enqueue(3);
		this.fixture.pump.signal();
		this.fixture.pump.step();
		this.executor.run();
		assertThat(this.handler.started).hasSize(5);
	}

	private void enqueue(int streams) {
		IntStream.range(0, streams).forEach((stream) -> this.fixture.database.enqueue("stream-" + stream));
	}

}
