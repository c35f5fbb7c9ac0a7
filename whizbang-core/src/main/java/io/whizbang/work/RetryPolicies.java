package io.whizbang.work;

/**
 * Says which retry policy holds for a message.
 */
@FunctionalInterface
public interface RetryPolicies {

	/**
	 * Returns the policy of the message.
	 * @param work the claimed message
	 * @return its policy
	 */
	RetryPolicy of(Work work);

	/**
	 * Returns one policy for all messages.
	 * @param policy the policy
	 * @return that policy, whatever the message
	 */
	static RetryPolicies same(RetryPolicy policy) {
		return (work) -> policy;
	}

}
