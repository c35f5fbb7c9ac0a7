package io.whizbang.test;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Tells whether containers can be started here. Testcontainers itself takes long to find
 * out, and logs errors on the way.
 */
final class Docker {

	private static final int PATIENCE_SECONDS = 5;

	private Docker() {
	}

	static boolean answers() {
		try {
			Process process = new ProcessBuilder("docker", "version", "--format", "{{.Server.Version}}")
				.redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
			try {
				return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
			}
			finally {
				process.destroy();
			}
		}
		catch (IOException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

}
