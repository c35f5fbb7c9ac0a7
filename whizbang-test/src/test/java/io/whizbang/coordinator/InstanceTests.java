package io.whizbang.coordinator;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.PGConnection;

import static io.whizbang.coordinator.CoordinatorFixture.STALE;
import static io.whizbang.coordinator.CoordinatorFixture.message;
import static io.whizbang.coordinator.TestInstance.names;
import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class InstanceTests {

	private final CoordinatorFixture fixture;

	private final TestInstance instance;

	InstanceTests(PostgresDatabase database) {
		this.fixture = new CoordinatorFixture(database);
		this.instance = this.fixture.join();
	}

	@Test
	void emptyCallRefreshesTheHeartbeat() {
		this.fixture.clock().advance(Duration.ofSeconds(11));
		this.instance.beat();
		assertThat(heartbeat()).isEqualTo(this.fixture.clock().now());
	}

	@Test
	void heartbeatIsWrittenNoMoreOftenThanNeeded() {
		Instant registered = this.fixture.clock().now();
		this.fixture.clock().advance(Duration.ofSeconds(5));
		this.instance.beat();
		assertThat(heartbeat()).isEqualTo(registered);
	}

	private Instant heartbeat() {
		return this.fixture.jdbc()
			.queryForObject("select last_heartbeat_at from whizbang.wh_service_instances", OffsetDateTime.class)
			.toInstant();
	}

	@Test
	void registryTellsWhoAnInstanceIs() {
		Map<String, Object> row = this.fixture.jdbc()
			.queryForMap("select service_name, host_name, process_id, metadata ->> 'zone' as zone "
					+ "from whizbang.wh_service_instances");
		assertThat(row).containsEntry("service_name", "shop")
			.containsEntry("host_name", "host-1")
			.containsEntry("process_id", 4711L)
			.containsEntry("zone", "north");
	}

	@Test
	void ranksAreDenseAndCountEveryLiveInstance() {
		List<TestInstance> all = List.of(this.instance, this.fixture.join(), this.fixture.join());
		assertThat(all).extracting((each) -> each.beat().members()).containsOnly(3);
		assertThat(all).extracting((each) -> each.beat().rank()).containsExactly(0, 1, 2);
	}

	@Test
	void staleInstancesDoNotCount() {
		TestInstance silent = this.fixture.join();
		this.fixture.clock().advance(STALE.minusSeconds(1));
		this.instance.beat();
		this.fixture.clock().advance(Duration.ofSeconds(2));
		WorkBatch answer = this.instance.beat();
		assertThat(answer.members()).isOne();
		assertThat(answer.rank()).isZero();
		assertThat(silent.isRegistered()).isFalse();
	}

	@Test
	void instancesThatBeatAreKept() {
		TestInstance other = this.fixture.join();
		for (int i = 0; i < 4; i++) {
			this.fixture.clock().advance(STALE.minusSeconds(1));
			assertThat(other.beat().refused()).isFalse();
			assertThat(this.instance.beat().members()).isEqualTo(2);
		}
	}

	@Test
	void membersLearnOfAJoinAndALeaveWithTheirNextCall() {
		int epoch = this.instance.beat().epoch();
		TestInstance other = this.fixture.join();
		assertThat(this.instance.beat().members()).isEqualTo(2);
		other.leave();
		assertThat(this.instance.beat().members()).isOne();
		assertThat(this.instance.beat().epoch()).isEqualTo(epoch + 2);
	}

	@ParameterizedTest
	@CsvSource({ "29, gone, true", "31, gone, false", "31, alive, true", "599, alive, true", "601, alive, false",
			"31, unknown, true", "601, unknown, false" })
	void silenceAndAVanishedSessionTogetherMeanAnEarlyDeath(int seconds, String session, boolean stays)
			throws SQLException {
		TestInstance silent = this.fixture.join();
		this.fixture.enqueue("a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1");
		int held = silent.claim().work().size();
		assertThat(held).isPositive();
		try (Connection connection = this.fixture.database().unpooledDataSource().getConnection()) {
			if (!session.equals("unknown")) {
				int pid = connection.unwrap(PGConnection.class).getBackendPID();
				silent.coordinator().watchSession(silent.id(), pid);
				if (session.equals("gone")) {
					connection.close();
					Await.until("the session to end",
							() -> this.fixture.number("select count(*) from pg_stat_activity where pid = ?", pid) == 0);
				}
			}
			this.fixture.clock().advance(Duration.ofSeconds(seconds));
			this.fixture.jdbc().update("update whizbang.wh_claims set lease_expiry = lease_expiry + interval '1 day'");
			WorkBatch answer = this.instance.claim();
			assertThat(silent.isRegistered()).isEqualTo(stays);
			assertThat(answer.recovered()).isEqualTo(stays ? 0 : held);
			assertThat(answer.work()).hasSize(stays ? 8 - held : 8);
		}
	}

	@Test
	void forgottenSessionDoesNotEndAnInstanceEarly() {
		TestInstance silent = this.fixture.join();
		silent.coordinator().watchSession(silent.id(), Integer.MAX_VALUE);
		silent.coordinator().watchSession(silent.id(), null);
		this.fixture.clock().advance(Duration.ofMinutes(5));
		assertThat(this.instance.beat().members()).isEqualTo(2);
	}

	@Test
	void zombieIsRefusedAndDoesNotComeBackByCalling() {
		TestInstance zombie = this.fixture.join();
		this.fixture.clock().advance(STALE.plusSeconds(1));
		this.instance.beat();
		assertThat(zombie.claim().refused()).isTrue();
		assertThat(zombie.store(message("a1", "a")).refused()).isTrue();
		assertThat(zombie.isRegistered()).isFalse();
		assertThat(this.fixture.waiting()).as("messages of a refused report").isZero();
		assertThat(this.fixture.join().beat().members()).isEqualTo(2);
	}

	@Test
	void everybodyStaleLeavesTheNextCallerAlone() {
		this.fixture.join(3);
		this.fixture.clock().advance(Duration.ofDays(1));
		assertThat(this.instance.beat().members()).isOne();
	}

	@Test
	void leavingGivesBackEverythingAtOnceAndCountsNoAttempt() {
		this.fixture.enqueue("a1", "a2", "b1");
		this.fixture.enqueueKeyless("x");
		assertThat(this.instance.claim().work()).hasSize(4);
		TestInstance other = this.fixture.join();
		this.instance.leave();
		assertThat(this.instance.isRegistered()).isFalse();
		assertThat(this.fixture.claims()).isZero();
		WorkBatch taken = other.claim();
		assertThat(names(taken)).containsExactly("a1", "a2", "b1", "x");
		assertThat(taken.work()).allMatch((work) -> work.attempts() == 0 && work.lastError() == null);
		assertThat(taken.members()).isOne();
	}

	@Test
	void leavingTwiceIsHarmless() {
		this.instance.leave();
		this.instance.leave();
		assertThat(this.fixture.members()).isZero();
		assertThat(this.instance.claim().refused()).isTrue();
	}

}
