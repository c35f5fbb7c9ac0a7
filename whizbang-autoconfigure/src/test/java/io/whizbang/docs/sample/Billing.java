package io.whizbang.docs.sample;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;

import io.whizbang.inbox.GuardAnswer;
import io.whizbang.inbox.GuardAnswer.Status;
import io.whizbang.inbox.GuardToken;
import io.whizbang.inbox.Inbox;
import io.whizbang.inbox.InboxGuard;
import io.whizbang.inbox.IncomingMessage;
import io.whizbang.inbox.MessageHandler;
import io.whizbang.inbox.Receipt;
import io.whizbang.message.Envelope;
import io.whizbang.outbox.Outbox;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

// tag::handler[]
@Component
class Billing {

	private final JdbcClient jdbc;

	private final Outbox outbox;

	Billing(JdbcClient jdbc, Outbox outbox) {
		this.jdbc = jdbc;
		this.outbox = outbox;
	}

	@MessageHandler(name = "billing")
	void bill(OrderPlaced placed) {
		this.jdbc.sql("insert into invoices (order_id, total) values (?, ?)")
			.params(placed.orderId(), placed.total())
			.update();
		this.outbox.enqueue("invoices", placed.orderId(), placed);
	}

}
// end::handler[]

@Component
class OrderNotices {

	private final MailServer mails;

	OrderNotices(MailServer mails) {
		this.mails = mails;
	}

	// tag::outside[]
	@MessageHandler(topic = "orders", name = "order-mail", transactional = false, timeout = "10s", maxAttempts = 5)
	void mail(OrderPlaced placed, Envelope envelope) {
		this.mails.send(placed.customer(), "Thank you for order " + placed.orderId(), envelope.id().toString());
	}
	// end::outside[]

}

@Component
class OrderWebhook {

	private final Inbox inbox;

	OrderWebhook(Inbox inbox) {
		this.inbox = inbox;
	}

	// tag::receive[]
	Receipt arrived(String eventId, String orderId, String json) {
		return this.inbox.receive(IncomingMessage.from("webhook:partner", eventId)
			.topic("orders")
			.type("OrderPlaced")
			.stream(orderId)
			.payload(json)
			.build());
	}
	// end::receive[]

}

@Component
class GuardedListener {

	private final InboxGuard guard;

	private final TransactionTemplate transaction;

	GuardedListener(InboxGuard guard, TransactionTemplate transaction) {
		this.guard = guard;
		this.transaction = transaction;
	}

	// tag::guard[]
	void onMessage(String id, String text) throws Exception {
		byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
		GuardAnswer answer = this.guard.begin("legacy-queue", id, hash, Duration.ofMinutes(1));
		if (answer.status() != Status.NEW) {
			return;
		}
		GuardToken token = answer.requireToken();
		try {
			this.transaction.executeWithoutResult((status) -> {
				handle(text);
				this.guard.complete(token);
			});
		}
		catch (RuntimeException ex) {
			this.guard.fail(token, ex.toString());
			throw ex;
		}
	}
	// end::guard[]

	private void handle(String text) {
		if (text.isBlank()) {
			throw new IllegalArgumentException("An empty message");
		}
	}

}
