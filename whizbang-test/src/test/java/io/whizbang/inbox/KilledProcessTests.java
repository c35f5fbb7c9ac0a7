package io.whizbang.inbox;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.whizbang.inbox.DoomedConsumer.Moment;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * G6 when a process is killed, with no chance to tidy up: what its receptors did takes
 * effect exactly once.
 */
@PostgresTest
class KilledProcessTests {

	private static final List<String> NAMES = List.of("m1", "m2", "m3", "m4", "m5");

	private static final List<String> STREAM = List.of("m2", "m4");

	private final PostgresDatabase database;

	private final InboxFixture fixture;

	private final RecordingReceptor receptor;

	KilledProcessTests(PostgresDatabase database) {
		this.database = database;
		this.fixture = new InboxFixture(database);
		this.receptor = this.fixture.receptor("a");
		this.receptor.then((name, envelope) -> this.fixture.outbox.enqueue("done." + name, 1));
		this.fixture.inbox.receiveAll(
				NAMES.stream().map((name) -> InboxFixture.message(name, STREAM.contains(name) ? "s" : null)).toList());
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@ParameterizedTest
	@EnumSource(names = { "WITHIN_A_RECEPTOR", "BEFORE_THE_COMMIT" })
	void effectsVanishWithAProcessKilledBeforeTheCommitAndComeOnceWithTheNextInstance(Moment moment) throws Exception {
		killAt(moment);
		assertThat(this.fixture.things()).isEmpty();
		assertThat(this.fixture.emitted()).isEmpty();
		assertThat(this.fixture.waiting()).isEqualTo(NAMES);
		letTheNextInstanceWork();
		assertThat(this.receptor.called()).containsExactlyInAnyOrderElementsOf(NAMES).containsSubsequence(STREAM);
		assertEachTookEffectOnce();
	}

	@Test
	void nothingIsRepeatedOfAProcessKilledBetweenItsCommitAndItsReport() throws Exception {
		killAt(Moment.BEFORE_THE_REPORT);
		assertThat(this.fixture.number("select count(*) from whizbang.wh_claims")).as("unreported claims").isOne();
		List<String> committed = this.fixture.things();
		assertThat(committed).as("messages of one transaction").hasSizeGreaterThan(1);
		List<String> rest = this.fixture.waiting();
		assertThat(committed.size() + rest.size()).isEqualTo(NAMES.size());
		letTheNextInstanceWork();
		assertThat(this.receptor.called()).containsExactlyInAnyOrderElementsOf(rest);
		assertEachTookEffectOnce();
	}

	private void assertEachTookEffectOnce() {
		assertThat(this.fixture.things()).isEqualTo(NAMES.stream().map("a:"::concat).toList());
		assertThat(this.fixture.emitted())
			.containsExactlyInAnyOrderElementsOf(NAMES.stream().map("done."::concat).toList());
		assertThat(this.fixture.waiting()).isEmpty();
		assertThat(this.fixture.deadLetters()).isEmpty();
	}

	private void letTheNextInstanceWork() {
		this.fixture.clock.advance(Duration.ofMinutes(20));
		this.fixture.worker().runUntilIdle();
		assertThat(this.fixture.number("select count(*) from whizbang.wh_claims")).as("claims of the dead").isZero();
	}

	private void killAt(Moment moment) throws Exception {
		Process process = start(moment);
		try {
			awaitReady(process);
			assertThat(sessions()).isPositive();
			assertThat(openEffects()).isEqualTo((moment != Moment.BEFORE_THE_REPORT) ? 1 : 0);
		}
		finally {
			process.destroyForcibly().waitFor();
		}
		Await.until("the server to notice", () -> sessions() == 0);
	}

	private int sessions() {
		return this.fixture.number("select count(*) from pg_stat_activity where datname = ? and application_name = ?",
				this.database.name(), DoomedConsumer.NAME);
	}

	/** Transactions that have written things and are not committed. */
	private int openEffects() {
		return this.fixture.number("""
				select count(*) from pg_locks join pg_database on pg_database.oid = database
				where datname = current_database() and relation = 'thing'::regclass and mode = 'RowExclusiveLock'""");
	}

	private Process start(Moment moment) throws IOException {
		ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
				DoomedConsumer.class.getName(), this.database.jdbcUrl(), this.database.server().username(),
				moment.name());
		String password = this.database.server().password();
		if (password != null) {
			builder.environment().put(DoomedConsumer.PASSWORD_VARIABLE, password);
		}
		return builder.redirectErrorStream(true).start();
	}

	private static void awaitReady(Process process) {
		List<String> said = Collections.synchronizedList(new ArrayList<>());
		CompletableFuture<Boolean> ready = CompletableFuture
			.supplyAsync(() -> process.inputReader().lines().peek(said::add).anyMatch(DoomedConsumer.READY::equals));
		assertThat(ready).as(() -> "readiness of the process, which said " + said)
			.succeedsWithin(Await.PATIENCE)
			.isEqualTo(true);
	}

}
