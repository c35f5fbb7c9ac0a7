package io.whizbang.benchmarks.peer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import io.whizbang.benchmarks.ChildClassPath;

/**
 * A contender's process as seen from outside.
 */
final class PeerHandle implements AutoCloseable {

	private final String label;

	private final Process process;

	private final BufferedReader answers;

	private final Writer commands;

	private String version = "";

	private String settings = "";

	private boolean keepsOrder;

	private PeerHandle(String label, Process process) {
		this.label = label;
		this.process = process;
		this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
		this.commands = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
	}

	/**
	 * Starts a process and waits until it is ready.
	 * @param name the contender's name
	 * @param profile how it is set up
	 * @param url its database
	 * @param log where its errors go
	 * @return the process
	 */
	static PeerHandle start(String name, Profile profile, String url, Path log) {
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		try {
			Process process = new ProcessBuilder(java, "-Xms512m", "-Xmx1g", "-cp", ChildClassPath.get(),
					PeerProcess.class.getName(), name, profile.label(), url)
				.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
				.start();
			PeerHandle handle = new PeerHandle(name, process);
			try {
				handle.awaitReady();
				return handle;
			}
			catch (IllegalStateException ex) {
				handle.close();
				throw ex;
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No process for " + name, ex);
		}
	}

	private void awaitReady() throws IOException {
		for (String line = read(); !line.startsWith(PeerProcess.READY); line = read()) {
			if (line.startsWith(PeerProcess.VERSION)) {
				this.version = line.substring(PeerProcess.VERSION.length());
			}
			else if (line.startsWith(PeerProcess.SETTINGS)) {
				this.settings = line.substring(PeerProcess.SETTINGS.length());
			}
			else if (line.startsWith(PeerProcess.ORDER)) {
				this.keepsOrder = Boolean.parseBoolean(line.substring(PeerProcess.ORDER.length()));
			}
		}
	}

	private String read() throws IOException {
		String line = this.answers.readLine();
		if (line == null) {
			throw new IllegalStateException("The process of " + this.label + " has ended; its log says why");
		}
		return line;
	}

	String version() {
		return this.version;
	}

	String settings() {
		return this.settings;
	}

	boolean keepsOrder() {
		return this.keepsOrder;
	}

	/**
	 * Tells the process what to do and waits until it is done.
	 * @param command what to do
	 * @return what it answers
	 */
	Answer ask(Command command) {
		try {
			this.commands.write(command + "\n");
			this.commands.flush();
			Answer answer = new Answer();
			for (String line = read(); !line.equals(PeerProcess.DONE); line = read()) {
				if (line.startsWith(PeerProcess.FAILED)) {
					throw new IllegalStateException(this.label + " " + line.substring(PeerProcess.FAILED.length()));
				}
				if (line.startsWith(PeerProcess.FIGURE)) {
					String[] figure = line.substring(PeerProcess.FIGURE.length()).split(" ", 2);
					answer.with(figure[1], Double.parseDouble(figure[0]));
				}
			}
			return answer;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No answer from " + this.label, ex);
		}
	}

	@Override
	public void close() {
		try {
			this.commands.close();
			if (!this.process.waitFor(20, TimeUnit.SECONDS)) {
				this.process.destroyForcibly();
			}
		}
		catch (IOException ex) {
			this.process.destroyForcibly();
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
	}

}
