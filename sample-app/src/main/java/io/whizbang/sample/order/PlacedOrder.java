package io.whizbang.sample.order;

import java.util.UUID;

import io.whizbang.event.Appended;

/**
 * An order that was just placed.
 *
 * @param view the order
 * @param appended the event that says so, for those who wait until read models know it
 */
record PlacedOrder(OrderView view, Appended appended) {

	UUID id() {
		return this.view.id();
	}

}
