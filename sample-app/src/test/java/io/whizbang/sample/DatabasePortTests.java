package io.whizbang.sample;

import java.net.InetAddress;
import java.net.ServerSocket;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@ExtendWith(OutputCaptureExtension.class)
class DatabasePortTests {

	@Test
	void tellsHowToUseAnotherPortWhenAnotherProgramHasTheDatabasesPort(CapturedOutput output) throws Exception {
		try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			int port = other.getLocalPort();
			assertThatThrownBy(() -> SpringApplication.run(ShopApplication.class, "--shop.database.port=" + port));
			assertThat(output).contains("Port " + port, "taken by another program",
					"--shop.database.port=" + (port + 1));
		}
	}

}
