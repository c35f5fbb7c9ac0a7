package io.whizbang.docs.sample;

import io.whizbang.message.Envelope;
import io.whizbang.message.MessageId;
import io.whizbang.outbox.OutboxHandler;
import io.whizbang.outbox.TopicHandler;
import io.whizbang.work.PermanentFailureException;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Component;

// tag::handler[]
@Component
class OrderMails {

	private final MailServer mails;

	OrderMails(MailServer mails) {
		this.mails = mails;
	}

	@OutboxHandler("orders")
	void send(OrderPlaced placed, MessageId id) {
		this.mails.send(placed.customer(), "Thank you for order " + placed.orderId(), id.toString());
	}

}
// end::handler[]

@Component
class Reminders {

	private final MailServer mails;

	Reminders(MailServer mails) {
		this.mails = mails;
	}

	// tag::permanent[]
	@OutboxHandler(topic = "${reminders.topic:reminders}", maxAttempts = 3, neverRetry = IllegalArgumentException.class)
	void remind(OrderPlaced placed, Envelope envelope) {
		if (!placed.customer().contains("@")) {
			throw new PermanentFailureException("No address to remind of order " + placed.orderId());
		}
		this.mails.send(placed.customer(), "Your order of " + envelope.createdAt(), envelope.id().toString());
	}
	// end::permanent[]

}

@Configuration(proxyBeanMethods = false)
class Refunds {

	// tag::function[]
	@Bean
	TopicHandler<OrderPlaced> refunds(MailServer mails) {
		return TopicHandler.of("refunds", OrderPlaced.class,
				(placed, envelope) -> mails.send(placed.customer(), "Refunded", envelope.id().toString()));
	}
	// end::function[]

}
