package io.whizbang.join;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.whizbang.outbox.OutboxMessage;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random stories: several instances report the same members, some as done and some as
 * failed, some twice, some in transactions that are rolled back, some when a deadline has
 * come. Whatever happens, a join counts each member once and never more than it expects,
 * and one message follows.
 */
@PostgresTest
class JoinStormTests {

	private static final int JOINS = 12;

	private static final int MEMBERS = 40;

	private final PostgresDatabase database;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private JoinFixture fixture;

	JoinStormTests(PostgresDatabase database) {
		this.database = database;
	}

	@BeforeEach
	void setUp() {
		this.fixture = new JoinFixture(this.database);
	}

	@AfterEach
	void tearDown() {
		this.threads.shutdownNow();
		this.fixture.close();
	}

	@Test
	void everyMemberCountsOnceAndOneMessageFollows() throws Exception {
		long seed = JoinFixture.seed(getClass());
		Random random = new Random(seed);
		List<JoinInstance> instances = IntStream.range(0, 3).mapToObj((n) -> this.fixture.instance()).toList();
		List<JoinId> joins = new ArrayList<>();
		List<String> members = IntStream.range(0, MEMBERS).mapToObj((n) -> "m" + n).toList();
		for (int n = 0; n < JOINS; n++) {
			joins.add(start(instances.get(0), random, members));
		}
		instances.forEach((instance) -> instance.worker.start());
		List<Callable<Void>> stories = new ArrayList<>();
		for (JoinId join : joins) {
			// Each member is told of by several, who do not agree.
			for (JoinInstance instance : instances) {
				stories.add(story(instance, join, members, random.nextLong()));
			}
		}
		Collections.shuffle(stories, random);
		for (Future<Void> told : this.threads.invokeAll(stories)) {
			told.get();
		}
		Await.until("all joins are closed", () -> instances.get(0).joins.open(null, 100).isEmpty());
		Await.until("everything is counted", () -> instances.get(0).store.count(1).reports() == 0);
		assertThat(this.fixture.followedIn("then")).as("seed %d", seed)
			.hasSize(JOINS)
			.doesNotHaveDuplicates()
			.allSatisfy((result) -> {
				assertThat(result.done() + result.failed()).isLessThanOrEqualTo(result.expected());
				assertThat(result.status() == JoinStatus.EXPIRED || result.missing() == 0).isTrue();
			});
		joins.forEach((id) -> check(instances.get(0), id, seed));
	}

	private static JoinId start(JoinInstance instance, Random random, List<String> members) {
		NewJoin.Builder join = random.nextBoolean() ? NewJoin.expecting(MEMBERS) : NewJoin.openEnded();
		if (random.nextInt(3) == 0) {
			join.deadline(Duration.ofMillis(1 + random.nextInt(400))).whenExpired("then");
		}
		NewJoin wanted = join.whenEnded("then").build();
		JoinId id = instance.joins.start(wanted);
		instance.joins.attachAll(id, members);
		if (wanted.expected() == null) {
			instance.joins.seal(id);
		}
		return id;
	}

	private Callable<Void> story(JoinInstance instance, JoinId join, List<String> members, long seed) {
		return () -> {
			Random random = new Random(seed);
			List<String> all = new ArrayList<>(members);
			all.addAll(members.subList(0, random.nextInt(MEMBERS)));
			Collections.shuffle(all, random);
			int from = 0;
			while (from < all.size()) {
				List<String> part = all.subList(from, Math.min(all.size(), from + 1 + random.nextInt(8)));
				boolean undone = random.nextInt(4) == 0;
				instance.transaction.executeWithoutResult((status) -> {
					part.forEach((member) -> report(instance, join, member, random));
					if (undone) {
						status.setRollbackOnly();
					}
				});
				from += undone ? 0 : part.size();
			}
			return null;
		};
	}

	private static void report(JoinInstance instance, JoinId join, String member, Random random) {
		if (random.nextInt(5) == 0) {
			instance.joins.reportFailed(join, member, "bad luck");
		}
		else {
			instance.joins.reportDone(join, member);
		}
	}

	private static void check(JoinInstance instance, JoinId id, long seed) {
		Join join = instance.find(id);
		List<JoinMember> members = instance.joins.members(id, null, 1000);
		assertThat(members).as("seed %d", seed)
			.hasSize(MEMBERS)
			.allSatisfy((member) -> assertThat(member.outcome()).isNotEqualTo(JoinMember.Outcome.PENDING));
		assertThat(join.done()).isEqualTo(count(members, JoinMember.Outcome.DONE));
		assertThat(join.failed()).isEqualTo(count(members, JoinMember.Outcome.FAILED));
		assertThat(join.done() + join.failed() + join.late()).isEqualTo(MEMBERS);
	}

	private static int count(List<JoinMember> members, JoinMember.Outcome outcome) {
		return (int) members.stream().filter((member) -> !member.late() && member.outcome() == outcome).count();
	}

	@Test
	void messagesThatSeveralInstancesDeliverAreCountedOnce() throws Exception {
		List<JoinInstance> instances = IntStream.range(0, 3).mapToObj((n) -> this.fixture.instance()).toList();
		JoinInstance first = instances.get(0);
		int members = 600;
		JoinId join = first.joins.start(NewJoin.expecting(members).whenEnded("then").build());
		List<OutboxMessage> messages = new ArrayList<>(JoinFixture.messages("work", members - 20));
		messages.addAll(JoinFixture.messages("poison", 20));
		first.joins.enqueueAll(join, messages);
		// The counting goes on all the while, everywhere.
		instances.forEach((instance) -> instance.worker.start());
		List<Callable<Void>> deliveries = instances.stream().map((instance) -> (Callable<Void>) () -> {
			while (this.fixture.count("select count(*) from whizbang.wh_outbox where topic <> 'then'") > 0) {
				instance.deliveries.runOnce();
			}
			return null;
		}).toList();
		for (Future<Void> delivered : this.threads.invokeAll(deliveries)) {
			delivered.get();
		}
		Await.until("it is closed", () -> !first.find(join).isOpen());
		assertThat(this.fixture.followedIn("then")).singleElement()
			.extracting(JoinResult::status, JoinResult::done, JoinResult::failed)
			.containsExactly(JoinStatus.FAILED, members - 20, 20);
	}

}
