package io.whizbang.test.browser;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.FileSystemUtils;

/**
 * A browser without a window. It is spoken to in its own protocol, so that nothing but
 * the browser itself is needed.
 */
public final class Chromium implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Chromium.class);

	private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome", "chrome");

	private static final Pattern ADDRESS = Pattern.compile("DevTools listening on (ws://\\S+)");

	private static final int SECONDS = 60;

	private final Path profile;

	private final Process process;

	private final DevTools tools;

	private Chromium(Path profile, Process process) throws IOException {
		this.profile = profile;
		this.process = process;
		this.tools = new DevTools(address(process));
	}

	/**
	 * Starts the browser. Where there is none the tests are skipped, loudly, unless
	 * {@code WHIZBANG_TEST_BROWSER_REQUIRED} is set.
	 * @param what what cannot be tested without it
	 * @return the running browser
	 * @throws IOException if it does not start
	 */
	public static Chromium startOrSkip(String what) throws IOException {
		Path program = find().orElse(null);
		if (program == null) {
			Assertions.assertNull(System.getenv("WHIZBANG_TEST_BROWSER_REQUIRED"),
					"A browser is required, and there is none");
			logger.warn("{} NOT TESTED: there is no chromium or google-chrome on the PATH", what);
		}
		Assumptions.assumeTrue(program != null, "There is no chromium or google-chrome on the PATH");
		Chromium chromium = start(Objects.requireNonNull(program));
		chromium.tools().look(1280, 900, false);
		return chromium;
	}

	private static Optional<Path> find() {
		return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
			.flatMap((folder) -> NAMES.stream().map((name) -> Path.of(folder, name)))
			.filter(Files::isExecutable)
			.findFirst();
	}

	private static Chromium start(Path program) throws IOException {
		Path profile = Files.createTempDirectory("whizbang-browser");
		Process process = new ProcessBuilder(program.toString(), "--headless", "--no-sandbox", "--disable-gpu",
				"--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
				"--disable-sync", "--disable-dev-shm-usage", "--remote-debugging-port=0", "--window-size=1280,900",
				"--user-data-dir=" + profile, "about:blank")
			.redirectErrorStream(true)
			.start();
		return new Chromium(profile, process);
	}

	/** The browser says where it listens, and goes on to say other things. */
	private static String address(Process process) throws IOException {
		CompletableFuture<String> address = new CompletableFuture<>();
		Thread reader = new Thread(() -> {
			try (BufferedReader lines = new BufferedReader(
					new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
				StringBuilder said = new StringBuilder();
				for (String line = lines.readLine(); line != null; line = lines.readLine()) {
					said.append(line).append('\n');
					Matcher matcher = ADDRESS.matcher(line);
					if (matcher.find()) {
						address.complete(matcher.group(1));
					}
				}
				address.completeExceptionally(new IOException("The browser has ended: " + said));
			}
			catch (IOException ex) {
				address.completeExceptionally(ex);
			}
		}, "chromium-output");
		reader.setDaemon(true);
		reader.start();
		try {
			return address.get(SECONDS, TimeUnit.SECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			process.destroyForcibly();
			throw new IOException("The browser does not say where it listens", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("Interrupted", ex);
		}
	}

	/**
	 * Returns its page.
	 * @return the page
	 */
	public DevTools tools() {
		return this.tools;
	}

	@Override
	public void close() throws IOException {
		this.tools.close();
		// Its children write into the profile after it has ended itself.
		List<ProcessHandle> children = this.process.descendants().toList();
		this.process.destroy();
		try {
			if (!this.process.waitFor(SECONDS, TimeUnit.SECONDS)) {
				this.process.destroyForcibly();
			}
			for (ProcessHandle child : children) {
				child.destroyForcibly();
				child.onExit().get(SECONDS, TimeUnit.SECONDS);
			}
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new IOException("The browser does not end", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		FileSystemUtils.deleteRecursively(this.profile);
	}

}
