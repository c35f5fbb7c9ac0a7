package io.whizbang.worker;

/**
 * A worker that can be told to leave its work alone for a while. Pausing lets running
 * work end, and may take as long as that.
 */
public interface Pausable {

	/**
	 * Returns the name for people, which is the same on all instances.
	 * @return the name
	 */
	String label();

	/** Does nothing more until it is resumed, also when it is started meanwhile. */
	void pause();

	/** Goes on after a pause, if it was started. */
	void resume();

	/**
	 * Says what it is doing, for people.
	 * @return {@code running}, {@code paused}, and so on
	 */
	String state();

}
