package io.whizbang.autoconfigure.endpoint;

/**
 * Contributes the line of one feature to the overview of the endpoint {@code whizbang}
 * and of the dashboard. A bean for each; applications may add their own.
 */
@FunctionalInterface
public interface OverviewContributor {

	/**
	 * Tells how the feature stands. Called whenever somebody looks, every few seconds:
	 * what it costs must not grow with the backlog.
	 * @return the line
	 */
	OverviewLine line();

}
