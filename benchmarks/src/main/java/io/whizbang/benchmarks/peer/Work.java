package io.whizbang.benchmarks.peer;

/**
 * What a process does when it is told to.
 */
interface Work extends AutoCloseable {

	Answer perform(Command command) throws Exception;

	/** The contender's version. */
	String version();

	/** How it was set up. */
	String settings();

	/** Whether it promises the order of a stream. */
	boolean keepsOrder();

	@Override
	void close();

}
