package io.whizbang.transport;

import java.util.List;

/**
 * Takes in what brokers deliver.
 */
@FunctionalInterface
public interface Intake {

	/**
	 * Takes in what arrived: all of it or, with an exception, nothing. When it returns,
	 * everything is stored for good, and the broker may forget it. What can never become
	 * a message is stored too, so that it does not come again.
	 * @param arrivals what arrived, in order
	 */
	void take(List<Arrival> arrivals);

}
