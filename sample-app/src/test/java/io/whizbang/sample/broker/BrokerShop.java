package io.whizbang.sample.broker;

import java.net.URI;
import java.util.List;

import io.whizbang.sample.RunningShop;
import io.whizbang.test.PostgresDatabase;

import org.springframework.util.StringUtils;

/**
 * A shop whose messages go over a broker.
 */
final class BrokerShop implements AutoCloseable {

	private final PostgresDatabase database;

	private final RunningShop shop;

	BrokerShop(PostgresDatabase database, String profile, String... properties) {
		this.database = database;
		this.shop = new RunningShop(database,
				StringUtils.addStringToArray(properties, "spring.profiles.active=" + profile));
	}

	URI place(String sku) {
		return this.shop.place(sku, "10");
	}

	void awaitConfirmation(URI order, int attempts) {
		this.shop.awaitConfirmation(order, attempts);
	}

	void isHealthyWith(String transport) {
		this.shop.get("/actuator/health")
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.components.whizbang.components.transports.components." + transport + ".status")
			.isEqualTo("UP");
	}

	/** Where the inbox has received from. */
	List<String> sources() {
		return this.database.jdbc()
			.queryForList("select distinct source from whizbang.wh_message_deduplication order by 1", String.class);
	}

	@Override
	public void close() {
		this.shop.close();
	}

}
