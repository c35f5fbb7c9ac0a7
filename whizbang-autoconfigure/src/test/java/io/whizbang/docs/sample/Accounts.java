package io.whizbang.docs.sample;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;

import io.whizbang.event.Appended;
import io.whizbang.event.EventMetadata;
import io.whizbang.event.EventMetadataSource;
import io.whizbang.event.EventStore;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.event.NewEvent;
import io.whizbang.event.StoredEvent;
import io.whizbang.event.StreamAppend;
import io.whizbang.event.StreamInfo;
import io.whizbang.event.Upcaster;
import io.whizbang.message.StreamId;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

// tag::service[]
@Service
class Accounts {

	private final EventStore events;

	Accounts(EventStore events) {
		this.events = events;
	}

	@Transactional
	public void open(String account, String owner) {
		this.events.append(account, ExpectedVersion.none(), new AccountOpened(owner));
	}

	@Transactional
	public void withdraw(String account, BigDecimal amount) {
		Balance balance = Balance.of(this.events.read(account).toList());
		if (balance.amount().compareTo(amount) < 0) {
			throw new IllegalArgumentException("Account %s has only %s".formatted(account, balance.amount()));
		}
		this.events.append(account, ExpectedVersion.exactly(balance.version()), new MoneyMoved(amount.negate(), "EUR"));
	}

}
// end::service[]

record Balance(BigDecimal amount, long version) {

	static Balance of(List<StoredEvent> events) {
		BigDecimal amount = BigDecimal.ZERO;
		for (StoredEvent event : events) {
			if (event.payload() instanceof MoneyMoved moved) {
				amount = amount.add(moved.amount());
			}
		}
		return new Balance(amount, events.size());
	}

}

@Configuration(proxyBeanMethods = false)
class AccountEvents {

	// tag::upcaster[]
	@Bean
	Upcaster moneyHasACurrency() {
		return Upcaster.of("money-moved", 1, (payload) -> ((ObjectNode) payload).put("currency", "EUR"));
	}
	// end::upcaster[]

	// tag::metadata[]
	@Bean
	EventMetadataSource whoIsSignedIn(SignedIn signedIn) {
		return () -> EventMetadata.ofUser(signedIn.name());
	}
	// end::metadata[]

}

interface SignedIn {

	String name();

}

@Service
class Transfers {

	private final EventStore events;

	Transfers(EventStore events) {
		this.events = events;
	}

	List<Appended> transfer(String from, String to, BigDecimal amount, ExpectedVersion expected) {
		// tag::batch[]
		List<Appended> appended = this.events
			.appendAll(List.of(StreamAppend.of(from, expected, new MoneyMoved(amount.negate(), "EUR")),
					StreamAppend.of(to, ExpectedVersion.any(), new MoneyMoved(amount, "EUR"))));
		// end::batch[]
		return appended;
	}

	List<Object> read(String account, long seen) {
		// tag::read[]
		StreamId stream = StreamId.of(account);
		Stream<StoredEvent> all = this.events.read(account);
		Stream<StoredEvent> newer = this.events.read(stream, seen + 1);
		List<StoredEvent> page = this.events.readPage(stream, 101, 50);
		Stream<StoredEvent> latest = this.events.readBackwards(account).limit(10);
		Stream<StoredEvent> everything = this.events.readAll(0, 1_000);
		StreamInfo info = this.events.info(account);
		// end::read[]
		return List.of(all, newer, page, latest, everything, info);
	}

	void annotate(String account, MoneyMoved moved) {
		// tag::event[]
		this.events.append(account, ExpectedVersion.any(),
				NewEvent.of(moved).with(EventMetadata.ofUser("ada").with("tenant", "acme")));
		// end::event[]
	}

}
