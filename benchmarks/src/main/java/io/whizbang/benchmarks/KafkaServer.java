package io.whizbang.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import org.apache.kafka.clients.admin.NewTopic;

import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/**
 * A Kafka broker in a process of its own, as in real life: its garbage and its compiler
 * are not the application's, and what it costs can be told apart.
 */
final class KafkaServer implements AutoCloseable {

	private static final String READY = "READY ";

	private final Process process;

	private final String address;

	private KafkaServer(Process process, String address) {
		this.process = process;
		this.address = address;
	}

	/** Starts a broker with one topic, and returns when it is there. */
	static KafkaServer start(String topic, int partitions) {
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		try {
			Process process = new ProcessBuilder(java, "-Xms1g", "-Xmx1g", "-Djava.io.tmpdir=" + directory(), "-cp",
					ChildClassPath.get(), KafkaServer.class.getName(), topic, String.valueOf(partitions))
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
			BufferedReader lines = new BufferedReader(
					new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				if (line.startsWith(READY)) {
					return new KafkaServer(process, line.substring(READY.length()));
				}
			}
			throw new IllegalStateException("The process of the broker ended before it was ready");
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No process for a broker", ex);
		}
	}

	/**
	 * In memory where there is such a directory. On one file system, a commit of the
	 * database would wait until what the broker has written is on the disk as well.
	 */
	private static Path directory() {
		Path memory = Path.of("/dev/shm");
		return Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
	}

	String address() {
		return this.address;
	}

	ProcessHandle process() {
		return this.process.toHandle();
	}

	/** Runs a broker until whoever started it closes the input, or is gone. */
	public static void main(String[] arguments) throws IOException {
		EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, 1);
		broker.brokerProperty("auto.create.topics.enable", "false");
		broker.afterPropertiesSet();
		broker.addTopics(new NewTopic(arguments[0], Integer.parseInt(arguments[1]), (short) 1));
		System.out.println(READY + broker.getBrokersAsString());
		while (System.in.read() >= 0) {
			// Nobody says anything.
		}
		broker.destroy();
		System.exit(0);
	}

	@Override
	public void close() {
		try {
			this.process.getOutputStream().close();
			this.process.waitFor();
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
