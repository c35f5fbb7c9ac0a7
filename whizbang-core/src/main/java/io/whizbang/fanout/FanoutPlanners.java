package io.whizbang.fanout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.whizbang.work.DefinitionException;

/**
 * The planners of the application, one per topic.
 */
public final class FanoutPlanners {

	private final Map<String, FanoutPlanner> planners = new ConcurrentHashMap<>();

	/**
	 * Adds a planner.
	 * @param planner the planner
	 * @throws IllegalStateException when its topic has one already
	 */
	public void add(FanoutPlanner planner) {
		FanoutLimits.checkTopic(planner.topic());
		FanoutPlanner other = this.planners.putIfAbsent(planner.topic(), planner);
		if (other != null) {
			throw new DefinitionException("Two planners have the topic \"%s\": %s and %s. Give one another topic"
				.formatted(planner.topic(), other, planner));
		}
	}

	/**
	 * Returns all topics that have a planner here.
	 * @return the topics
	 */
	public List<String> topics() {
		List<String> topics = new ArrayList<>(this.planners.keySet());
		topics.sort(null);
		return topics;
	}

	boolean has(String topic) {
		return this.planners.containsKey(topic);
	}

	FanoutPlanner get(String topic) {
		FanoutPlanner planner = this.planners.get(topic);
		if (planner == null) {
			throw new IllegalStateException("There is no planner for the topic \"%s\" here".formatted(topic));
		}
		return planner;
	}

}
