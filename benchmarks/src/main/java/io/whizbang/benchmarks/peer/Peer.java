package io.whizbang.benchmarks.peer;

import java.util.List;

import javax.sql.DataSource;

import io.whizbang.benchmarks.Contender;

/**
 * A contender that says what it is and how it was set up.
 */
interface Peer extends Contender {

	/** What its messages are stored in, emptied between measurements. */
	List<String> tables();

	/** Where producers write, so that messages join their transactions. */
	DataSource dataSource();

	String version();

	/** What differs from its defaults, and where that is recommended. */
	String settings();

	/** Waits, if that is needed, until all that was loaded is due. */
	default void loaded() {
	}

	/** Whether it promises the order of a stream. */
	boolean keepsOrder();

}
