package io.whizbang.fanout;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Finds the planners among the beans, once all singletons exist.
 */
public final class FanoutScanner implements SmartInitializingSingleton {

	private final ListableBeanFactory beanFactory;

	private final FanoutPlanners planners;

	/**
	 * Creates a scanner.
	 * @param beanFactory where to look
	 * @param planners where to add what is found
	 */
	public FanoutScanner(ListableBeanFactory beanFactory, FanoutPlanners planners) {
		this.beanFactory = beanFactory;
		this.planners = planners;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.beanFactory.getBeansOfType(FanoutPlanner.class).values().forEach(this.planners::add);
	}

}
