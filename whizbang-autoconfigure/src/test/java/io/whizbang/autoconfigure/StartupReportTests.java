package io.whizbang.autoconfigure;

import javax.sql.DataSource;

import io.whizbang.inbox.MessageHandler;
import io.whizbang.outbox.OutboxHandler;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
@ExtendWith(OutputCaptureExtension.class)
class StartupReportTests {

	private final ApplicationContextRunner runner;

	StartupReportTests(PostgresDatabase database) {
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class,
					InboxAutoConfiguration.class, TimerAutoConfiguration.class, JacksonAutoConfiguration.class))
			.withBean(DataSource.class, database::unpooledDataSource)
			.withPropertyValues("spring.application.name=shop")
			.withUserConfiguration(Shop.class);
	}

	@Test
	void saysOnceInOneLineWhatIsOn(CapturedOutput output) {
		this.runner.run((context) -> {
			String line = "Whizbang for service 'shop' in schema 'whizbang': outbox [mails, orders], inbox [bill], "
					+ "timers; woken by notifications";
			assertThat(output).containsOnlyOnce(line);
			// The context of a management port would be such a child.
			try (GenericApplicationContext child = new GenericApplicationContext(context)) {
				child.refresh();
			}
			assertThat(output).containsOnlyOnce(line);
		});
	}

	@Test
	void saysThatNobodyListens(CapturedOutput output) {
		this.runner.withPropertyValues("whizbang.listen.enabled=false")
			.run((context) -> assertThat(output).contains("; polling only"));
	}

	@Test
	void saysNothingWhenSwitchedOff(CapturedOutput output) {
		this.runner.withPropertyValues("whizbang.enabled=false")
			.run((context) -> assertThat(output).doesNotContain("in schema"));
	}

	static class Shop {

		@OutboxHandler("orders")
		void deliver(String order) {
		}

		@OutboxHandler("mails")
		void mail(String text) {
		}

		@MessageHandler(topic = "payments", name = "bill")
		void bill(String payment) {
		}

	}

}
