package io.whizbang.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.whizbang.message.Envelope;
import io.whizbang.transport.SendResult;
import org.junit.jupiter.api.Test;

import static io.whizbang.test.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RecordingTransportTests {

	private final RecordingTransport transport = new RecordingTransport();

	private final Envelope first = message("orders", "order-1", "1");

	private final Envelope second = message("orders", "order-1", "2");

	private final Envelope other = message("mails", "mail-1", "3");

	private final Envelope loose = message("orders", null, "4");

	@Test
	void keepsWhatWasSentInOrder() {
		assertThat(statuses(this.first, this.other, this.second)).containsOnly(SendResult.Status.SENT);
		assertThat(this.transport.sent()).containsExactly(this.first, this.other, this.second);
		assertThat(this.transport.sent("orders")).containsExactly(this.first, this.second);
	}

	@Test
	void sendsNothingOfAStreamBehindItsFailure() {
		this.transport.fail((message) -> message.equals(this.first), 1);
		assertThat(statuses(this.first, this.second, this.other)).containsExactly(SendResult.Status.FAILED,
				SendResult.Status.NOT_SENT, SendResult.Status.SENT);
		assertThat(this.transport.sent()).containsExactly(this.other);
		assertThat(this.transport.tried()).containsExactly(this.first, this.other);
	}

	@Test
	void sendsMessagesWithoutStreamBesideAFailure() {
		this.transport.fail((message) -> message.stream() == null, 1);
		Envelope next = message("orders", null, "5");
		assertThat(statuses(this.loose, next)).containsExactly(SendResult.Status.FAILED, SendResult.Status.SENT);
	}

	@Test
	void failsAsOftenAsItIsTold() {
		this.transport.fail((message) -> true, 2);
		assertThat(statuses(this.first)).containsExactly(SendResult.Status.FAILED);
		assertThat(statuses(this.first)).containsExactly(SendResult.Status.FAILED);
		assertThat(statuses(this.first)).containsExactly(SendResult.Status.SENT);
	}

	@Test
	void failsATopicUntilItRecovers() {
		this.transport.failTopic("orders");
		assertThat(statuses(this.first, this.other)).containsExactly(SendResult.Status.FAILED, SendResult.Status.SENT);
		this.transport.recover();
		assertThat(statuses(this.first)).containsExactly(SendResult.Status.SENT);
	}

	@Test
	void cannotBeReachedWhileItIsDisconnected() {
		this.transport.disconnect();
		assertThat(statuses(this.first)).containsExactly(SendResult.Status.UNREACHABLE);
	}

	@Test
	void letsCallsWaitUntilTheyAreReleased() {
		this.transport.block();
		CompletableFuture<List<SendResult>> call = CompletableFuture
			.supplyAsync(() -> this.transport.send(List.of(this.first)));
		this.transport.awaitBlocked(1);
		assertThat(this.transport.sent()).isEmpty();
		this.transport.release();
		assertThat(this.transport.awaitSent(1)).containsExactly(this.first);
		assertThat(call).succeedsWithin(Await.PATIENCE);
	}

	@Test
	void tellsWhatCameInsteadOfWhatWasAwaited() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> Await.until(() -> "the moon, not " + this.transport, Duration.ofMillis(20), () -> false))
			.withMessage("Waited 20 ms in vain for the moon, not Recording transport 'recording' with 0 messages sent");
	}

	private List<SendResult.Status> statuses(Envelope... messages) {
		return this.transport.send(List.of(messages)).stream().map(SendResult::status).toList();
	}

}
