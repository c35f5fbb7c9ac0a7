package io.whizbang.letter;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Some dead letters, newest first.
 *
 * @param letters the letters
 * @param next where the next page starts, or {@code null} when this is the last one
 */
public record DeadLetterPage(List<DeadLetterSummary> letters, @Nullable Long next) {

	public DeadLetterPage {
		letters = List.copyOf(letters);
	}

}
