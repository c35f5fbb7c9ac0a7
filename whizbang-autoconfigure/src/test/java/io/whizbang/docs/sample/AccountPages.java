package io.whizbang.docs.sample;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;

import io.whizbang.event.Appended;
import io.whizbang.event.EventStore;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.message.StreamId;
import io.whizbang.perspective.Perspectives;

import org.springframework.jdbc.core.simple.JdbcClient;

class AccountPages {

	private final EventStore events;

	private final Perspectives perspectives;

	private final JdbcClient jdbc;

	AccountPages(EventStore events, Perspectives perspectives, JdbcClient jdbc) {
		this.events = events;
		this.perspectives = perspectives;
		this.jdbc = jdbc;
	}

	boolean open(String account, String owner) {
		// tag::await[]
		Appended opened = this.events.append(account, ExpectedVersion.none(), new AccountOpened(owner));
		boolean listed = this.perspectives.await("account-list", opened, Duration.ofSeconds(2));
		// end::await[]
		return listed;
	}

	boolean isListed(String account, long version) {
		// tag::version[]
		boolean listed = this.perspectives.await("account-list", StreamId.of(account), version, Duration.ofSeconds(2));
		// end::version[]
		return listed;
	}

	BigDecimal turnover(LocalDate day) {
		// tag::serving[]
		String table = this.perspectives.serving("turnover-per-day").table("turnover_per_day");
		return this.jdbc.sql("select amount from %s where day = ?".formatted(table))
			.param(day)
			.query(BigDecimal.class)
			.single();
		// end::serving[]
	}

}
