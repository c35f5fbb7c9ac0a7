package io.whizbang.job;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class JobDefinitionTests {

	@Test
	void hasTheHandlerOfItsOwnNameUnlessToldOtherwise() {
		assertThat(JobDefinition.of("report").build().handler()).isEqualTo("report");
		assertThat(JobDefinition.of("report").handler("other").build().handler()).isEqualTo("other");
		assertThat(JobDefinition.of("report").topic("reports").build().handler()).isNull();
	}

	@Test
	void refusesNamesThatAreBlankOrTooLong() {
		assertThatIllegalArgumentException().isThrownBy(() -> JobDefinition.of(" ").build())
			.withMessageContaining("must not be blank");
		assertThatIllegalArgumentException().isThrownBy(() -> JobDefinition.of("x".repeat(201)).build())
			.withMessageContaining("201 characters")
			.withMessageContaining("200");
		assertThatIllegalArgumentException().isThrownBy(() -> JobDefinition.of("a\0b").build())
			.withMessageContaining("U+0000");
		assertThat(JobDefinition.of("x".repeat(200)).build().name()).hasSize(200);
	}

	@Test
	void refusesBothHandlerAndTopic() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> JobDefinition.of("report").handler("a").topic("b").build())
			.withMessageContaining("either a handler or a topic");
	}

	@Test
	void namesTheJobWhoseCadenceIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> JobDefinition.of("report").cron("61 * * * *").build())
			.withMessageContaining("\"report\"")
			.withMessageContaining("61 * * * *");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> JobDefinition.of("report").cron("@daily").zone("Mars/Base").build())
			.withMessageContaining("Mars/Base");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> JobDefinition.of("report").every(Duration.ofMillis(-1)).build())
			.withMessageContaining("PT-0.001S");
	}

	@Test
	void refusesToCatchUpOnNothingOrOnEverything() {
		assertThatIllegalArgumentException().isThrownBy(() -> JobDefinition.of("report").catchUp(0).build());
		assertThatIllegalArgumentException().isThrownBy(() -> JobDefinition.of("report").catchUp(1001).build())
			.withMessageContaining("1001");
	}

}
