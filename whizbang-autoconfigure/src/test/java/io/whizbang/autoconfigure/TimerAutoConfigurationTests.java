package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.whizbang.observation.ObservationNames;
import io.whizbang.outbox.TopicHandlers;
import io.whizbang.outbox.UnroutableTopicException;
import io.whizbang.test.Await;
import io.whizbang.test.DatabaseClock;
import io.whizbang.test.ManualWorker;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.WithManualWorker;
import io.whizbang.timer.DueTimer;
import io.whizbang.timer.NewTimer;
import io.whizbang.timer.OnTimer;
import io.whizbang.timer.TimerGauges;
import io.whizbang.timer.TimerId;
import io.whizbang.timer.TimerSettings;
import io.whizbang.timer.Timers;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

@PostgresTest
class TimerAutoConfigurationTests {

	private final ApplicationContextRunner runner;

	TimerAutoConfigurationTests(PostgresDatabase database) {
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class,
					TimerAutoConfiguration.class, WhizbangMetricsAutoConfiguration.class))
			.withBean(DataSource.class, database::unpooledDataSource)
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new);
	}

	@Test
	void timerReachesItsMethod() {
		this.runner.withUserConfiguration(Reminders.class).run((context) -> {
			Timers timers = context.getBean(Timers.class);
			TimerId id = timers
				.schedule(NewTimer.to("reminders", "hello").key("order-1").after(Duration.ofMillis(50)).build());
			Reminders.Fired fired = context.getBean(Reminders.class).fired.poll(20, TimeUnit.SECONDS);
			assertThat(fired).isNotNull();
			assertThat(fired.text()).isEqualTo("hello");
			assertThat(fired.timer().id()).isEqualTo(id);
			assertThat(fired.timer().key()).isEqualTo("order-1");
			assertThat(fired.timer().firedAt()).isAfterOrEqualTo(fired.timer().due());
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			Await.until("the lateness is recorded",
					() -> meters.get(ObservationNames.TIMER_LATENESS).timer().count() == 1);
		});
	}

	@Test
	void goesByTheClockOfATest() {
		this.runner.withUserConfiguration(Reminders.class, Driven.class).run((context) -> {
			Timers timers = context.getBean(Timers.class);
			ManualWorker worker = context.getBean(ManualWorker.class);
			Reminders reminders = context.getBean(Reminders.class);
			DatabaseClock clock = context.getBean(DatabaseClock.class);
			clock.advance(Duration.ofDays(1));
			TimerId id = timers.schedule("reminders", "hello", Duration.ofHours(1));
			worker.runUntilIdle();
			assertThat(reminders.fired).as("before its time, which is counted from tomorrow").isEmpty();
			assertThat(timers.reschedule(id, Duration.ofHours(2))).isTrue();
			clock.advance(Duration.ofHours(1));
			worker.runUntilIdle();
			assertThat(reminders.fired).isEmpty();
			clock.advance(Duration.ofHours(1));
			worker.runUntilIdle();
			assertThat(reminders.fired).singleElement()
				.satisfies((fired) -> assertThat(fired.timer().lateness()).isLessThan(Duration.ofHours(1)));
		});
	}

	@Test
	void topicOfAMethodIsKnownToTheOutbox() {
		this.runner.withUserConfiguration(Reminders.class)
			.withPropertyValues("reminders.topic=late")
			.run((context) -> assertThat(context.getBean(TopicHandlers.class).topics()).contains("reminders", "late"));
	}

	@Test
	void pendingTimersAreCounted() {
		this.runner.run((context) -> {
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			context.getBean(TimerGauges.class).bindTo(meters);
			double before = meters.get(ObservationNames.TIMERS_PENDING).gauge().value();
			context.getBean(Timers.class).schedule("nobody", 1, Duration.ofDays(1));
			assertThat(meters.get(ObservationNames.TIMERS_PENDING).gauge().value()).isEqualTo(before + 1);
		});
	}

	@Test
	void strictTopicsHoldForTimersToo() {
		this.runner.withPropertyValues("whizbang.outbox.strict-topics=true")
			.run((context) -> assertThatExceptionOfType(UnroutableTopicException.class)
				.isThrownBy(() -> context.getBean(Timers.class).schedule("nobody", 1, Duration.ofDays(1))));
	}

	@Test
	void canBeSwitchedOff() {
		this.runner.withPropertyValues("whizbang.timers.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(Timers.class));
		this.runner.withPropertyValues("whizbang.outbox.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Timers.class));
	}

	@Test
	void backOffForThoseOfTheApplication() {
		Timers mine = mock(Timers.class);
		this.runner.withBean("mine", Timers.class, () -> mine)
			.run((context) -> assertThat(context.getBean(Timers.class)).isSameAs(mine));
	}

	@Test
	void nearIsSetAndChecked() {
		this.runner.withPropertyValues("whizbang.timers.near=3m")
			.run((context) -> assertThat(context.getBean(TimerSettings.class).near()).hasMinutes(3));
		this.runner.withPropertyValues("whizbang.timers.near=15s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("whizbang.timers.near must not be below")
				.hasMessageContaining("but is 15s"));
	}

	@WithManualWorker
	@Configuration(proxyBeanMethods = false)
	static class Driven {

	}

	@Configuration(proxyBeanMethods = false)
	static class Reminders {

		final BlockingQueue<Fired> fired = new LinkedBlockingQueue<>();

		@OnTimer("reminders")
		void remind(String text, DueTimer timer) {
			this.fired.add(new Fired(text, timer));
		}

		@OnTimer("${reminders.topic:other}")
		void remindLate(DueTimer timer) {
			this.fired.add(new Fired("late", timer));
		}

		record Fired(String text, DueTimer timer) {
		}

	}

}
