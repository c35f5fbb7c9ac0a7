package io.whizbang.docs.sample;

import java.time.Duration;
import java.util.List;

import io.whizbang.lease.CurrentLease;
import io.whizbang.lease.Lease;
import io.whizbang.lease.LeaseOptions;
import io.whizbang.lease.Leased;
import io.whizbang.lease.Leases;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

@Component
class Reindexing {

	private final Leases leases;

	private final JdbcClient jdbc;

	Reindexing(Leases leases, JdbcClient jdbc) {
		this.leases = leases;
		this.jdbc = jdbc;
	}

	// tag::acquire[]
	void reindex(List<String> pages) {
		try (Lease lease = this.leases.tryAcquire("reindex", Duration.ofSeconds(30)).orElse(null)) {
			if (lease == null) {
				return;
			}
			for (String page : pages) {
				lease.throwIfLost();
				write(page, lease.token());
			}
		}
	}
	// end::acquire[]

	// tag::run[]
	boolean rebuild() {
		return this.leases.runWith("reindex", Duration.ofSeconds(30), (lease) -> write("all", lease.token()));
	}
	// end::run[]

	// tag::wait[]
	void reindexSoon(List<String> pages) {
		LeaseOptions options = LeaseOptions.lasting(Duration.ofSeconds(30)).withLabel("reindex");
		try (Lease lease = this.leases.acquire("reindex", options, Duration.ofMinutes(2)).orElseThrow()) {
			lease.onLost(Thread.currentThread()::interrupt);
			pages.forEach((page) -> write(page, lease.token()));
		}
	}
	// end::wait[]

	// tag::fence[]
	private void write(String page, long token) {
		int written = this.jdbc.sql("update page_index set token = ? where page = ? and token <= ?")
			.params(token, page, token)
			.update();
		if (written == 0) {
			throw new IllegalStateException("Somebody with a later lease has written " + page);
		}
	}
	// end::fence[]

	// tag::leased[]
	@Scheduled(cron = "0 0 3 * * *")
	@Leased("nightly-report")
	@Transactional
	void report() {
		this.jdbc.sql("insert into report select current_date, sum(total) from orders").update();
	}

	@Leased(value = "import-#{#supplier}", atMost = "${import.lease:2m}", atLeast = "30s")
	void importPrices(String supplier, List<String> prices) {
		for (String price : prices) {
			CurrentLease.throwIfLost();
			this.jdbc.sql("insert into price (supplier, price) values (?, ?)").params(supplier, price).update();
		}
	}
	// end::leased[]

}
