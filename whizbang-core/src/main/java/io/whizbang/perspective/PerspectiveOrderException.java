package io.whizbang.perspective;

/**
 * An event does not come right behind the last one of its stream. It is not applied: the
 * stream stops in this perspective, is tried again from where it stands, and ends in the
 * dead letters when that does not help.
 */
public class PerspectiveOrderException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	public PerspectiveOrderException(String message) {
		super(message);
	}

	static PerspectiveOrderException of(PerspectiveRun run, String stream, long reached, long found) {
		return new PerspectiveOrderException(
				"The stream %s has version %d in %s, so version %d must come next, but version %d came; this is %s"
					.formatted(stream, reached, run, reached + 1, found, (found > reached) ? "a gap" : "a repetition"));
	}

	static PerspectiveOrderException missed(PerspectiveRun run, String stream, long found) {
		return new PerspectiveOrderException(
				"The stream %s begins in %s with version %d, but has earlier events that the perspective wants; they are a gap"
					.formatted(stream, run, found));
	}

}
