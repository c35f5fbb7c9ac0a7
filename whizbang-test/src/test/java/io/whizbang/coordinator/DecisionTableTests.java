package io.whizbang.coordinator;

import java.time.Duration;

import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Outcome;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.whizbang.coordinator.CoordinatorFixture.LEASE;
import static io.whizbang.coordinator.CoordinatorFixture.STALE;
import static io.whizbang.coordinator.TestInstance.names;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The decision tables of multi-instance coordination. The lease of a message is the lease
 * of its claim.
 */
@PostgresTest
class DecisionTableTests {

	private final CoordinatorFixture fixture;

	private final TestInstance first;

	DecisionTableTests(PostgresDatabase database) {
		this.fixture = new CoordinatorFixture(database);
		this.first = this.fixture.join();
	}

	enum Earlier {

		WITHOUT_LEASE, LEASE_EXPIRED, LEASED_BY_ANOTHER, COMPLETED, WAITS_FOR_RETRY, RETRY_IS_DUE, FAILED_FOR_GOOD

	}

	@ParameterizedTest
	@CsvSource({ "WITHOUT_LEASE, true", "LEASE_EXPIRED, true", "LEASED_BY_ANOTHER, false", "COMPLETED, true",
			"WAITS_FOR_RETRY, false" })
	void streamOrderDecidesWhetherLaterMessagesAreClaimable(Earlier earlier, boolean claimable) {
		laterMessagesAreClaimable(earlier, claimable);
	}

	@ParameterizedTest
	@CsvSource({ "WAITS_FOR_RETRY, false", "RETRY_IS_DUE, true", "FAILED_FOR_GOOD, true", "LEASED_BY_ANOTHER, false",
			"COMPLETED, true" })
	void scheduledRetryDecidesWhetherLaterMessagesAreClaimable(Earlier earlier, boolean claimable) {
		laterMessagesAreClaimable(earlier, claimable);
	}

	private void laterMessagesAreClaimable(Earlier earlier, boolean claimable) {
		String stream = this.fixture.streamFor(2, 1);
		this.fixture.enqueue(stream + 1);
		if (earlier != Earlier.WITHOUT_LEASE) {
			WorkBatch held = this.first.claim();
			assertThat(names(held)).containsExactly(stream + 1);
			happen(earlier, held, stream + 1);
		}
		TestInstance second = this.fixture.join();
		this.fixture.enqueue(stream + 2);
		boolean earlierIsGone = earlier == Earlier.COMPLETED || earlier == Earlier.FAILED_FOR_GOOD;
		if (!claimable) {
			assertThat(second.drain()).isEmpty();
		}
		else if (earlierIsGone) {
			assertThat(second.drain()).containsExactly(stream + 2);
		}
		else {
			assertThat(second.drain()).containsExactly(stream + 1, stream + 2);
		}
	}

	private void happen(Earlier earlier, WorkBatch held, String name) {
		switch (earlier) {
			case LEASE_EXPIRED -> this.fixture.clock().advance(LEASE.plusMillis(1));
			case COMPLETED -> this.first.finish(held);
			case WAITS_FOR_RETRY -> this.first.report(held, new Outcome.Retry(Duration.ofMinutes(5), "boom"), name);
			case RETRY_IS_DUE -> {
				this.first.report(held, new Outcome.Retry(Duration.ofMinutes(5), "boom"), name);
				this.fixture.clock().advance(Duration.ofMinutes(6));
			}
			case FAILED_FOR_GOOD -> this.first.report(held, new Outcome.Dead("permanent", "boom"), name);
			default -> {
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "9, false, true", "11, true, true", "11, false, false" })
	void ageOfTheHeartbeatDecidesWhoIsRemoved(int minutes, boolean itself, boolean stays) {
		String stream = this.fixture.streamFor(1, 0);
		this.fixture.enqueue(stream + 1);
		WorkBatch held = this.first.claim();
		TestInstance second = this.fixture.join();
		this.fixture.clock().advance(Duration.ofMinutes(minutes));
		this.fixture.jdbc().update("update whizbang.wh_claims set lease_expiry = lease_expiry + interval '1 day'");
		WorkBatch answer = (itself ? this.first : second).claim();
		assertThat(this.first.isRegistered()).isEqualTo(stays);
		assertThat(answer.members()).isEqualTo((stays && !itself) ? 2 : 1);
		if (stays) {
			assertThat(this.first.finish(held).lost()).isEmpty();
		}
		else {
			assertThat(names(answer)).containsExactly(stream + 1);
			assertThat(this.first.finish(held).refused()).isTrue();
		}
	}

	@ParameterizedTest
	@CsvSource({ "0, 0", "1, 1", "2, 0", "3, 1", "4, 0", "9998, 0", "9999, 1" })
	void joiningInstanceGetsTheFreePartitionsOfItsShareAndNoOther(int partition, int rank) {
		TestInstance joined = this.fixture.join();
		this.fixture.jdbc().update("""
				insert into whizbang.wh_messages
				    (queue, partition_hash, size, message_id, topic, message_type, headers, payload)
				values (1, ?, 2, gen_random_uuid(), 'test', 'Test', '{}', 'x')""", partition);
		assertThat(((rank == 0) ? joined : this.first).claim().work()).isEmpty();
		assertThat(names(((rank == 0) ? this.first : joined).claim())).containsExactly("x");
	}

	@ParameterizedTest
	@CsvSource({ "true, false, true", "false, false, false", "false, true, true" })
	void partitionOfALiveHolderIsNotReassigned(boolean itself, boolean stale, boolean allowed) {
		String stream = this.fixture.streamFor(2, 1);
		this.fixture.enqueue(stream + 1);
		WorkBatch held = this.first.claim();
		TestInstance second = this.fixture.join();
		this.fixture.enqueue(stream + 2);
		if (stale) {
			this.fixture.clock().advance(STALE.plusSeconds(1));
		}
		if (itself) {
			assertThat(this.first.renew(held).lost()).isEmpty();
			this.first.finish(held);
			second.leave();
			assertThat(this.first.drain()).containsExactly(stream + 2);
		}
		else {
			assertThat(second.drain()).hasSize(allowed ? 2 : 0);
		}
	}

	@ParameterizedTest
	@CsvSource({ "true", "false" })
	void partitionWithoutHolderIsFreeForWhoeverShareItIs(boolean held) {
		String stream = this.fixture.streamFor(2, 1);
		if (held) {
			this.fixture.enqueue(stream + 1);
			this.first.finish(this.first.claim());
		}
		TestInstance second = this.fixture.join();
		this.fixture.enqueue(stream + 2);
		assertThat(this.first.drain()).isEmpty();
		assertThat(second.drain()).containsExactly(stream + 2);
	}

	@ParameterizedTest
	@CsvSource({ "none, true", "active, false", "expired, true", "completed, false", "failed, true" })
	void leaseDecidesWhetherAMessageCanBeTakenOver(String lease, boolean claimable) {
		String stream = this.fixture.streamFor(2, 1);
		this.fixture.enqueue(stream + 1);
		if (!lease.equals("none")) {
			WorkBatch held = this.first.claim();
			switch (lease) {
				case "expired" -> this.fixture.clock().advance(LEASE.plusMillis(1));
				case "completed" -> this.first.finish(held);
				case "failed" -> this.first.report(held, new Outcome.Retry(Duration.ZERO, "boom"), stream + 1);
				default -> assertThat(held.leaseExpiry()).isEqualTo(this.fixture.clock().now().plus(LEASE));
			}
		}
		TestInstance second = this.fixture.join();
		assertThat(second.drain()).hasSize(claimable ? 1 : 0);
	}

}
