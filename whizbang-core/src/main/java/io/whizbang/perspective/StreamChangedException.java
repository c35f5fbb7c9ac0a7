package io.whizbang.perspective;

/**
 * Somebody has changed a checkpoint while a page was applied; the page is read again.
 */
final class StreamChangedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	StreamChangedException(PerspectiveRun run) {
		super("A checkpoint of %s was changed meanwhile; the page is rolled back and read again".formatted(run));
	}

}
