package io.whizbang.message;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LogTextTests {

	@Test
	void aLineBreakForgesNoLine() {
		assertThat(LogText.of("17\nINFO all is well\r\u2028\u001b[2J")).isEqualTo("17?INFO all is well???[2J");
	}

	@Test
	void whatIsOrdinaryStaysAsItIs() {
		assertThat(LogText.of("order-17/ä \uD83D\uDE00")).isEqualTo("order-17/ä \uD83D\uDE00");
	}

	@Test
	void whatIsLongIsCut() {
		assertThat(LogText.of("x".repeat(1000))).hasSize(203).endsWith("...");
	}

}
