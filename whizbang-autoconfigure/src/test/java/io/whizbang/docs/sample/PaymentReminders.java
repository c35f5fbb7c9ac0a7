package io.whizbang.docs.sample;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.whizbang.timer.DueTimer;
import io.whizbang.timer.NewTimer;
import io.whizbang.timer.OnTimer;
import io.whizbang.timer.TimerId;
import io.whizbang.timer.Timers;

import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

@Component
class PaymentReminders {

	private final Timers timers;

	private final MailServer mails;

	PaymentReminders(Timers timers, MailServer mails) {
		this.timers = timers;
		this.mails = mails;
	}

	// tag::use[]
	@Transactional
	void placed(OrderPlaced order) {
		// ... the order is saved ...
		this.timers.schedule(NewTimer.to("payment-reminders", order)
			.key("payment-of-" + order.orderId())
			.after(Duration.ofDays(3))
			.build());
	}

	@Transactional
	void paid(String orderId) {
		boolean reminded = !this.timers.cancel("payment-of-" + orderId);
		// ...
	}

	@OnTimer("payment-reminders")
	void remind(OrderPlaced order, DueTimer timer) {
		this.mails.send(order.customer(), "Your payment was due on " + timer.due(), timer.id().toString());
	}
	// end::use[]

	void more(OrderPlaced order, List<NewTimer> many) {
		// tag::more[]
		TimerId id = this.timers.schedule("payment-reminders", order, Instant.parse("2030-01-01T09:00:00Z"));
		this.timers.reschedule(id, Duration.ofHours(2));
		this.timers.find(id).ifPresent((pending) -> System.out.println(pending.due()));
		List<TimerId> ids = this.timers.scheduleAll(many);
		int cancelled = this.timers.cancelAll(ids).size();
		// end::more[]
		System.out.println(cancelled);
	}

}
