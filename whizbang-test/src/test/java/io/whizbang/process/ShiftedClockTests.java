package io.whizbang.process;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.Set;

import io.whizbang.message.JsonMessageCodec;
import io.whizbang.observation.MessageObservations;
import io.whizbang.outbox.TopicCheck;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.timer.JdbcTimerStore;
import io.whizbang.timer.JdbcTimers;
import io.whizbang.timer.TimerSettings;
import io.whizbang.timer.Timers;
import io.whizbang.work.WorkSignal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * An instance whose clock is two hours off changes nothing: neither what it writes, nor
 * when it fires (G8). {@code ArchitectureTests} sees that Whizbang does not read the wall
 * clock; here a whole process has a wrong one, with driver, pool and Spring.
 */
@PostgresTest
class ShiftedClockTests {

	private final PostgresDatabase database;

	private final JdbcTemplate jdbc;

	private final Timers timers;

	ShiftedClockTests(PostgresDatabase database) {
		this.database = database;
		this.jdbc = database.jdbc();
		new SchemaInstaller(database.unpooledDataSource(), SchemaSettings.defaults()).install();
		this.jdbc.execute("""
				delete from whizbang.wh_messages;
				delete from whizbang.wh_scheduled;
				delete from whizbang.wh_claims;
				delete from whizbang.wh_service_instances;
				delete from whizbang.wh_leases;
				delete from whizbang.wh_jobs""");
		this.timers = new JdbcTimers(new JdbcTimerStore(database.dataSource(), "whizbang"),
				new JsonMessageCodec(JsonMapper.shared()), TopicCheck.NONE, MessageObservations.NONE,
				TimerSettings.defaults(), WorkSignal.NONE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT2H", "PT-2H" })
	void anInstanceWhoseClockIsWrongWritesAndFiresAsAllOthers(String shift) throws Exception {
		this.timers.schedule("test", "in an hour", Duration.ofHours(1));
		Instant begin = time("clock_timestamp()");
		int hour = begin.atZone(ZoneId.of("Asia/Tokyo")).getHour();
		String cron = "* * %d,%d * * *".formatted(hour, (hour + 1) % 24);
		try (ChildProcess process = ChildProcess.start(ShiftedInstance.class, this.database, shift, cron)) {
			assertWrong("the clock that is read by a call", process.answer(), shift);
			assertWrong("the clock that is read by a method reference", process.answer(), shift);
			assertThat(process.answer()).startsWith("token ");
			awaitAnswers(process, "started", "ran triggered", "ran often", "ran in Tokyo");
			assertThat(time("(select expires_at from whizbang.wh_leases)")).as("end of its lease")
				.isBetween(time("now() + interval '5 minutes'"), time("now() + interval '10 minutes'"));
			assertInAnHour("its timer", "(select timer_due from whizbang.wh_scheduled where payload like '%child%')");
			assertInAnHour("its job", "(select next_fire_at from whizbang.wh_jobs where name = 'hourly')");
			this.timers.schedule("test", "now", Duration.ZERO);
			awaitAnswers(process, "fired now");
			assertThat(this.timers.count(10)).as("timers of the next hour").isEqualTo(2);
			assertRunsAreOfNow(begin);
			assertThat(number("select count(*) from whizbang.wh_job_runs where job_name = 'hourly'")).isZero();
		}
	}

	private static void awaitAnswers(ChildProcess process, String... answers) throws InterruptedException {
		Set<String> missing = new HashSet<>(Set.of(answers));
		while (!missing.isEmpty()) {
			missing.remove(process.answer());
		}
	}

	private void assertRunsAreOfNow(Instant begin) {
		assertThat(time("(select min(least(scheduled_at, started_at, ended_at)) from whizbang.wh_job_runs)"))
			.as("the first time of a run")
			.isAfterOrEqualTo(begin);
		assertThat(time("(select max(greatest(scheduled_at, started_at, ended_at)) from whizbang.wh_job_runs)"))
			.as("the last time of a run")
			.isBeforeOrEqualTo(time("clock_timestamp()"));
		assertThat(number("select count(*) from whizbang.wh_job_runs where started_at < scheduled_at"))
			.as("runs that began early")
			.isZero();
	}

	private int number(String sql) {
		Integer number = this.jdbc.queryForObject(sql, Integer.class);
		return (number != null) ? number : -1;
	}

	private void assertWrong(String what, String answer, String shift) {
		assertThat(Instant.parse(answer.substring("clock ".length()))).as(what)
			.isCloseTo(time("clock_timestamp()").plus(Duration.parse(shift)), within(Duration.ofMinutes(10)));
	}

	private void assertInAnHour(String what, String sql) {
		assertThat(time(sql)).as(what)
			.isBetween(time("now() + interval '55 minutes'"), time("now() + interval '60 minutes'"));
	}

	private Instant time(String sql) {
		OffsetDateTime time = this.jdbc.queryForObject("select " + sql, OffsetDateTime.class);
		assertThat(time).isNotNull();
		return time.toInstant();
	}

}
