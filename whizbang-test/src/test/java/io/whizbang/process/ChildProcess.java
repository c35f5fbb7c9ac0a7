package io.whizbang.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process of its own, to be killed and frozen: an instance of an application that
 * obeys, and tells what happens to it.
 */
public final class ChildProcess implements AutoCloseable {

	/** Begins each line that is meant for the test. */
	private static final String MARK = "CHILD ";

	private static final String PASSWORD = "CHILD_PASSWORD";

	private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

	private final Process process;

	private final PrintWriter commands;

	private ChildProcess(Process process) {
		this.process = process;
		this.commands = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
		CompletableFuture.runAsync(
				() -> process.inputReader()
					.lines()
					.filter((line) -> line.startsWith(MARK))
					.forEach((line) -> this.said.add(line.substring(MARK.length()))),
				(task) -> new Thread(task, "child-output").start());
	}

	/**
	 * Starts a process.
	 * @param main what it does
	 * @param database the database that it works with
	 * @param arguments what else it is told, after the URL and the user of the database
	 * @return the process
	 */
	public static ChildProcess start(Class<?> main, PostgresDatabase database, String... arguments) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m",
						"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+EnableDynamicAgentLoading",
						"-Djdk.attach.allowAttachSelf=true", "-cp", System.getProperty("java.class.path"),
						main.getName(), database.jdbcUrl(), database.server().username()));
		command.addAll(List.of(arguments));
		ProcessBuilder builder = new ProcessBuilder(command);
		String password = database.server().password();
		if (password != null) {
			builder.environment().put(PASSWORD, password);
		}
		try {
			return new ChildProcess(builder.redirectErrorStream(true).start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns what the process says next. */
	public String answer() throws InterruptedException {
		String answer = this.said.poll(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
		assertThat(answer).as("answer of the process").isNotNull();
		return answer;
	}

	public void tell(String command) {
		this.commands.println(command);
	}

	public void freeze() throws Exception {
		signal("STOP");
	}

	public void wake() throws Exception {
		signal("CONT");
	}

	private void signal(String name) throws Exception {
		Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(this.process.pid())).start();
		assertThat(kill.waitFor()).isZero();
	}

	/** Ends the process without a chance to tidy up. */
	public void kill() throws InterruptedException {
		this.process.destroyForcibly().waitFor();
	}

	@Override
	public void close() throws InterruptedException {
		kill();
	}

	/** In the process: opens a pool with the database of the arguments. */
	public static HikariDataSource dataSource(String[] arguments, String name) {
		PGSimpleDataSource database = new PGSimpleDataSource();
		database.setUrl(arguments[0]);
		database.setUser(arguments[1]);
		database.setPassword(System.getenv(PASSWORD));
		database.setApplicationName(name);
		HikariConfig config = new HikariConfig();
		config.setDataSource(database);
		config.setMaximumPoolSize(4);
		return new HikariDataSource(config);
	}

	/** In the process: tells the test something. */
	public static synchronized void say(String text) {
		System.out.println(MARK + text);
	}

	/** In the process: does what it is told, and ends with the one that started it. */
	public static void obey(Consumer<String> commands) {
		try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
			input.lines().forEach(commands);
		}
		catch (IOException ex) {
			System.err.println(ex);
		}
		finally {
			Runtime.getRuntime().halt(0);
		}
	}

}
