package io.whizbang.transport.rabbit;

import java.io.IOException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class BlockageTests {

	private final Blockage blockage = new Blockage();

	@Test
	void saysWhyTheBrokerTakesNothing() {
		this.blockage.handleBlocked("low on memory");
		assertThatExceptionOfType(IOException.class).isThrownBy(this.blockage::check)
			.withMessage("RabbitMQ takes no messages at the moment: low on memory");
	}

	@Test
	void isOverWhenTheBrokerSaysSo() {
		this.blockage.handleBlocked("low on memory");
		this.blockage.handleUnblocked();
		assertThatNoException().isThrownBy(this.blockage::check);
	}

	@Test
	void endsWithItsConnection() {
		this.blockage.handleBlocked("low on memory");
		this.blockage.onCreate(null);
		assertThatNoException().isThrownBy(this.blockage::check);
	}

}
