package io.whizbang.perspective;

import java.time.Duration;
import java.util.List;

import io.whizbang.event.Appended;
import io.whizbang.letter.Operator;
import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

/**
 * The perspectives of the application: how they stand, and what operators do to them.
 */
public interface Perspectives {

	/** So many stopped streams are listed at once at most. */
	int MAX_PAGE = 1000;

	/**
	 * Waits until the model that serves has applied what was appended, or has passed it
	 * because it does not want it. Called after the commit of the append.
	 * @param name the perspective
	 * @param appended what was appended
	 * @param timeout how long to wait at most
	 * @return whether it is there; {@code false} when the time was over, or the stream
	 * has stopped before it
	 * @throws IllegalStateException when the events are not committed, and the current
	 * transaction must end first
	 */
	boolean await(String name, Appended appended, Duration timeout);

	/**
	 * Waits until the model that serves has applied a stream up to a version that
	 * somebody else has seen, such as a client that carries it, or has passed it because
	 * it does not want it. A version that is not committed is not there, be it because it
	 * is under way or because it was never appended; that is also so within a
	 * transaction. Who has appended it uses {@link #await(String, Appended, Duration)},
	 * which can tell.
	 * @param name the perspective
	 * @param stream the stream
	 * @param version version of an event of it, from 1
	 * @param timeout how long to wait at most
	 * @return whether it is there; {@code false} when the time was over, or the stream
	 * has stopped before it
	 */
	boolean await(String name, StreamId stream, long version, Duration timeout);

	/**
	 * Returns the run whose model the application is to read.
	 * @param name the perspective
	 * @return the run, known for a second
	 * @throws IllegalArgumentException when there is no such perspective
	 */
	PerspectiveRun serving(String name);

	/**
	 * Tells how all runs stand.
	 * @return a status for each
	 */
	List<PerspectiveStatus> status();

	/**
	 * Tells how the runs of one perspective stand: the one that serves, and one that is
	 * being built.
	 * @param name the perspective
	 * @return a status for each, the older first
	 */
	List<PerspectiveStatus> status(String name);

	/**
	 * Lists streams that have stopped, in the order of their identities.
	 * @param name the perspective
	 * @param after only those behind this one, or {@code null} for the first
	 * @param limit how many at most, up to {@link #MAX_PAGE}
	 * @return the streams
	 */
	List<StoppedStream> stopped(String name, @Nullable StreamId after, int limit);

	/**
	 * Tries a stream again at once that has stopped, with no attempts counted.
	 * @param name the perspective
	 * @param stream the stream
	 * @param by who wants it
	 * @return whether it had stopped
	 */
	boolean retry(String name, StreamId stream, Operator by);

	/**
	 * Leaves out the event at which a stream has stopped. The model will lack it; who
	 * wanted that, and why, is kept with the stream.
	 * @param name the perspective
	 * @param stream the stream
	 * @param version version of the event
	 * @param by who wants it, and why
	 * @return whether the stream had stopped right there
	 */
	boolean skip(String name, StreamId stream, long version, Operator by);

	/**
	 * Removes a stream from the model that serves, and applies it from its first event
	 * on. Others go on meanwhile.
	 * @param name the perspective
	 * @param stream the stream
	 * @throws IllegalStateException when code of the version that serves is not here
	 */
	void replay(String name, StreamId stream);

	/**
	 * Empties the model that serves, and applies all events again. Meanwhile it is
	 * incomplete.
	 * @param name the perspective
	 * @throws IllegalStateException when code of the version that serves is not here
	 */
	void rebuild(String name);

	/**
	 * Builds another model beside the one that serves, and lets it serve by itself when
	 * nothing is missing in it.
	 * @param name the perspective
	 * @return the run that is built
	 * @throws IllegalStateException when one is being built already, or when a version
	 * serves that is newer than the code here
	 */
	PerspectiveRun rebuildBeside(String name);

	/**
	 * Stops a perspective on all instances, until it is resumed.
	 * @param name the perspective
	 */
	void pause(String name);

	/**
	 * Goes on after a pause.
	 * @param name the perspective
	 */
	void resume(String name);

}
