package io.whizbang.perspective;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import io.whizbang.message.StreamId;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Models are built anew while events come, in their place or beside the one that serves.
 */
@PostgresTest
class RebuildTests {

	private final PerspectiveFixture fixture;

	private final AtomicBoolean writing = new AtomicBoolean(true);

	private Thread writer = new Thread();

	RebuildTests(PostgresDatabase database) {
		this.fixture = new PerspectiveFixture(database);
	}

	@AfterEach
	void close() throws InterruptedException {
		stopWriting();
		this.fixture.close();
	}

	@Test
	void aModelIsRebuiltInPlaceWhileEventsCome() throws Exception {
		fill();
		PerspectiveInstance instance = this.fixture.start(new RecordingPerspective("p"));
		this.fixture.awaitApplied("p", 300);
		write();
		instance.perspectives.rebuild("p");
		instance.perspectives.rebuild("p");
		stopWriting();
		this.fixture.awaitApplied("p", this.fixture.events());
		assertThat(this.fixture.faults("p", 1)).isEmpty();
		assertThat(instance.perspectives.serving("p")).isEqualTo(new PerspectiveRun("p", 1, 1));
		Await.until("old checkpoints are gone", () -> this.fixture
			.count("""
					select count(*) from whizbang.wh_perspective_checkpoints c join whizbang.wh_perspectives p using (run_id)
					where p.status = 2""") == 0);
	}

	@Test
	void aModelIsBuiltBesideWhileEventsComeAndServesWhenNothingIsMissing() throws Exception {
		fill();
		List<String> switches = new CopyOnWriteArrayList<>();
		List<Long> missing = new CopyOnWriteArrayList<>();
		PerspectiveListener listener = new PerspectiveListener() {
			@Override
			public void switched(PerspectiveRun from, PerspectiveRun to) {
				missing.add(RebuildTests.this.fixture.count("""
						select count(*) from applied o where o.name = 'p' and o.run = 1 and not exists (
						    select from applied n where n.name = 'p' and n.run = 2
						        and n.stream = o.stream and n.version = o.version)"""));
				switches.add(from.run() + " to " + to.run());
			}
		};
		CountDownLatch refused = new CountDownLatch(1);
		PerspectiveInstance instance = startBeside(listener, refused);
		startBeside(listener, refused);
		this.fixture.awaitApplied("p", 300);
		write();
		assertThat(instance.perspectives.rebuildBeside("p")).isEqualTo(new PerspectiveRun("p", 1, 2));
		assertThatIllegalStateException().isThrownBy(() -> instance.perspectives.rebuildBeside("p"))
			.withMessageContaining("already");
		refused.countDown();
		Await.until(() -> "the switch; " + this.fixture.standing(), () -> !switches.isEmpty());
		stopWriting();
		assertThat(switches).containsExactly("1 to 2");
		assertThat(missing).as("events that the old model had at the switch and the new one had not")
			.containsExactly(0L);
		this.fixture.awaitApplied("p", 2, this.fixture.events());
		assertThat(this.fixture.faults("p", 2)).isEmpty();
		Await.until("it is known to serve", () -> instance.perspectives.serving("p").run() == 2);
		assertThat(this.fixture.applied("p", 1)).as("what the old model had").doesNotHaveDuplicates();
	}

	/** Its second run stands still at first. */
	private PerspectiveInstance startBeside(PerspectiveListener listener, CountDownLatch goOn) {
		PerspectiveInstance instance = this.fixture.prepare(
				(parts) -> parts.with(parts.settings().withRetireAfter(Duration.ofHours(1))).with(listener),
				new RecordingPerspective("p").before((event, run) -> {
					if (run.run() == 2) {
						goOn.await();
					}
				}));
		instance.worker.start();
		return instance;
	}

	@Test
	void aRunThatIsNotNeededAnyMoreIsRetired() {
		fill();
		PerspectiveInstance instance = this.fixture.start(new RecordingPerspective("p"));
		this.fixture.awaitApplied("p", 300);
		instance.perspectives.rebuildBeside("p");
		Await.until("the new one serves and the old one is gone",
				() -> this.fixture.count("select count(*) from applied where run = 1") == 0
						&& this.fixture.count("select count(*) from applied where run = 2") == 300);
		Await.until("it is cleaned up",
				() -> this.fixture.count("select count(*) from whizbang.wh_perspectives where cleaned") == 1);
		assertThat(this.fixture.count("select count(distinct run_id) from whizbang.wh_perspective_checkpoints"))
			.isEqualTo(1);
	}

	@Test
	void codeOfAHigherVersionIsBuiltBesideTheOldWhichServesMeanwhile() throws Exception {
		fill();
		PerspectiveSettings settings = PerspectiveFixture.SETTINGS.withRetireAfter(Duration.ofHours(1));
		PerspectiveInstance old = this.fixture.start(settings, new RecordingPerspective("p"));
		this.fixture.awaitApplied("p", 300);
		AtomicBoolean held = new AtomicBoolean(true);
		PerspectiveInstance young = this.fixture.start(settings,
				new RecordingPerspective("p").version(2).before((event, run) -> {
					if (held.get() && event.version() == 2) {
						throw new IllegalStateException("not yet");
					}
				}));
		this.fixture.awaitApplied("p", 2, 10);
		this.fixture.append("s-1", 1);
		this.fixture.awaitApplied("p", 1, 301);
		assertThat(old.perspectives.serving("p").version()).isEqualTo(1);
		assertThat(old.perspectives.status("p")).extracting(PerspectiveStatus::state)
			.containsExactly(PerspectiveStatus.State.SERVING, PerspectiveStatus.State.BUILDING);
		// The old run looks once more, although nobody has appended anything.
		this.fixture.jdbc.execute("select pg_current_xact_id()");
		this.fixture.jdbc.execute("""
				update whizbang.wh_perspective_shards s set base_snapshot = pg_current_snapshot()
				from whizbang.wh_perspectives p where p.run_id = s.run_id and p.status = 1""");
		held.set(false);
		Await.until(() -> "the switch; " + this.fixture.standing(), () -> old.perspectives.serving("p").version() == 2);
		this.fixture.append("s-2", 1);
		this.fixture.awaitApplied("p", 2, 302);
		assertThat(this.fixture.faults("p", 2)).isEmpty();
		Await.until("the old code has nothing to do", () -> old.worker.shards() == 0 && young.worker.shards() == 16);
	}

	@Test
	void oneStreamIsReplayedWhileOthersGoOn() throws Exception {
		fill();
		PerspectiveInstance instance = this.fixture.start(PerspectiveFixture.SETTINGS.withPages(50, 3),
				new RecordingPerspective("p"));
		this.fixture.awaitApplied("p", 300);
		long before = this.fixture.count("select max(id) from applied");
		write();
		for (int i = 0; i < 5; i++) {
			instance.perspectives.replay("p", StreamId.of("s-3"));
		}
		stopWriting();
		this.fixture.awaitApplied("p", this.fixture.events());
		Await.until("the stream follows", () -> this.fixture.status("s-3") == 0);
		assertThat(this.fixture.faults("p", 1)).isEmpty();
		assertThat(this.fixture.count("select count(*) from applied where stream = 's-3' and id <= ?", before))
			.isZero();
	}

	@Test
	void aRebuildTellsHowFarItIs() {
		fill();
		PerspectiveInstance instance = this.fixture.start(new RecordingPerspective("p"));
		this.fixture.awaitApplied("p", 300);
		Await.until("all is done", () -> instance.perspectives.status("p").get(0).behind() == 0);
		PerspectiveStatus status = instance.perspectives.status("p").get(0);
		assertThat(status.done()).isEqualTo(status.total());
		assertThat(status.held()).isEqualTo(16);
		assertThat(status.dead() + status.retrying()).isZero();
	}

	private void fill() {
		for (int i = 0; i < 10; i++) {
			this.fixture.append("s-" + i, 30);
		}
	}

	private void write() {
		this.writing.set(true);
		this.writer = new Thread(() -> {
			for (int i = 0; this.writing.get(); i++) {
				this.fixture.append("s-" + i % 10, 1);
			}
		});
		this.writer.start();
		long count = this.fixture.events();
		Await.until("events come", () -> this.fixture.events() > count + 20);
	}

	private void stopWriting() throws InterruptedException {
		this.writing.set(false);
		this.writer.join();
	}

}
