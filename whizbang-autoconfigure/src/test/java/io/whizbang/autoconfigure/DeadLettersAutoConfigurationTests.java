package io.whizbang.autoconfigure;

import java.util.Map;

import javax.sql.DataSource;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.whizbang.letter.DeadLetterFilter;
import io.whizbang.letter.DeadLetters;
import io.whizbang.letter.JdbcDeadLetters;
import io.whizbang.letter.LetterListener;
import io.whizbang.letter.Operator;
import io.whizbang.letter.RawLetter;
import io.whizbang.observation.ObservationNames;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Queue;
import io.whizbang.work.WorkSignal;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class DeadLettersAutoConfigurationTests {

	private final PostgresDatabase database;

	private final ApplicationContextRunner runner;

	DeadLettersAutoConfigurationTests(PostgresDatabase database) {
		this.database = database;
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class,
					DeadLettersAutoConfiguration.class, WhizbangMetricsAutoConfiguration.class))
			.withBean(DataSource.class, database::unpooledDataSource);
	}

	@Test
	void areThereWithoutAnyFeature() {
		this.runner.run((context) -> {
			DeadLetters letters = context.getBean(DeadLetters.class);
			assertThat(letters.list(DeadLetterFilter.ALL, null, 10).letters()).isEmpty();
			assertThat(context.getBean(DeadLetterRetention.class).isRunning()).isFalse();
		});
	}

	@Test
	void areCounted() {
		this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run((context) -> {
			DeadLetters letters = context.getBean(DeadLetters.class);
			letters.discard(letters.record(letter()), Operator.named("ada"));
			assertThat(context.getBean(MeterRegistry.class)
				.get(ObservationNames.DEAD_LETTERS_DISCARDED)
				.tag(ObservationNames.QUEUE, "outbox")
				.counter()
				.count()).isEqualTo(1);
		});
	}

	@Test
	void areDiscardedWhenTheirTimeIsOver() {
		this.runner
			.withPropertyValues("whizbang.dead-letters.retention=1ms", "whizbang.dead-letters.audit-retention=30d")
			.run((context) -> {
				DeadLetters letters = context.getBean(DeadLetters.class);
				letters.record(letter());
				DeadLetterRetention retention = context.getBean(DeadLetterRetention.class);
				assertThat(retention.isRunning()).isTrue();
				// Its first round is at its start.
				retention.stop();
				retention.start();
				Await.until("the letter to go", () -> letters.list(DeadLetterFilter.ALL, null, 10).letters().isEmpty());
				assertThat(letters.audit(null, null, 1)).singleElement()
					.satisfies((entry) -> assertThat(entry.by().note()).isEqualTo("retention"));
			});
	}

	@Test
	void retentionMustBePositive() {
		this.runner.withPropertyValues("whizbang.dead-letters.retention=0s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("whizbang.dead-letters.retention must be above 0 but is 0s"));
	}

	@Test
	void backOffForThoseOfTheApplication() {
		this.runner
			.withBean("mine", JdbcDeadLetters.class,
					() -> new JdbcDeadLetters(this.database.dataSource(), "whizbang", WorkSignal.NONE,
							LetterListener.NONE))
			.run((context) -> assertThat(context.getBeanNamesForType(DeadLetters.class)).containsExactly("mine"));
	}

	private static RawLetter letter() {
		return new RawLetter(Queue.OUTBOX, "kafka:orders", RawLetter.MALFORMED, "not JSON", new byte[] { '{' },
				Map.of());
	}

}
