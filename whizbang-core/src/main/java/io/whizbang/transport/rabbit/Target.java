package io.whizbang.transport.rabbit;

/**
 * Where a message goes.
 *
 * @param exchange the exchange, empty for the broker's default one
 * @param routingKey the routing key
 */
record Target(String exchange, String routingKey) {

	@Override
	public String toString() {
		return this.exchange.isEmpty() ? "the default exchange with routing key \"%s\"".formatted(this.routingKey)
				: "exchange \"%s\" with routing key \"%s\"".formatted(this.exchange, this.routingKey);
	}

}
