package io.whizbang.autoconfigure.endpoint;

import java.util.List;

/**
 * How everything stands, as JSON.
 *
 * @param instance the instance that answers; what it says of "here" is said of it
 * @param countedUpTo counts end here: so many means at least so many
 * @param features a line for each feature
 */
record OverviewBody(Instance instance, int countedUpTo, List<OverviewLine> features) {

	record Instance(String service, String host, long process) {
	}

}
