package io.whizbang.benchmarks.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import io.whizbang.benchmarks.ChildClassPath;

/**
 * An instance as seen from outside: it can be killed, frozen and told to stop.
 */
final class InstanceProcess {

	private static final String VIOLATION = "VIOLATION ";

	private static final String SEEN = "SEEN ";

	private final Process process;

	private InstanceProcess(Process process) {
		this.process = process;
	}

	static InstanceProcess start(Class<?> main, String url, Troubles troubles) {
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		try {
			Process process = new ProcessBuilder(java, "-Xmx160m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp",
					ChildClassPath.get(), main.getName(), url)
				.redirectErrorStream(true)
				.start();
			Thread reader = new Thread(() -> listen(process, troubles), "storm-instance-output");
			reader.setDaemon(true);
			reader.start();
			return new InstanceProcess(process);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No process for an instance", ex);
		}
	}

	private static void listen(Process process, Troubles troubles) {
		try (BufferedReader lines = new BufferedReader(
				new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				if (line.startsWith(VIOLATION)) {
					String[] words = line.split(" ", 3);
					troubles.add(words[1], "process " + process.pid() + ": " + words[2]);
				}
				else if (line.startsWith(SEEN)) {
					troubles.seen(line.substring(SEEN.length()));
				}
			}
		}
		catch (IOException ex) {
			// The process was killed while it spoke.
		}
	}

	void kill() {
		this.process.destroyForcibly();
	}

	void freeze() {
		signal("STOP");
	}

	void thaw() {
		signal("CONT");
	}

	/** Tells the process to end in good order. */
	void stop() {
		this.process.destroy();
	}

	void awaitEnd() {
		try {
			if (!this.process.waitFor(20, TimeUnit.SECONDS)) {
				kill();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	private void signal(String name) {
		try {
			new ProcessBuilder("kill", "-" + name, Long.toString(this.process.pid())).start().waitFor();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The storm needs the command kill", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
