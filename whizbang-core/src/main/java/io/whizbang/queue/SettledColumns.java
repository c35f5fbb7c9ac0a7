package io.whizbang.queue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Settlements as one array per column, as the database takes them.
 */
final class SettledColumns {

	/** A failure of which nobody knows by which message it came. */
	private static final int RIDDLE = 2;

	private final List<String> keys = new ArrayList<>();

	private final List<String> tokens = new ArrayList<>();

	private final List<Boolean> keep = new ArrayList<>();

	private final List<@Nullable Long> delays = new ArrayList<>();

	private final List<Integer> failed = new ArrayList<>();

	private final List<@Nullable String> errors = new ArrayList<>();

	private final Numbers done = new Numbers();

	private final Numbers blamed = new Numbers();

	private final Numbers dead = new Numbers();

	private final List<String> reasons = new ArrayList<>();

	private final List<String> deadErrors = new ArrayList<>();

	SettledColumns(Collection<Settlement> settlements) {
		settlements.forEach(this::add);
	}

	private void add(Settlement settlement) {
		String key = settlement.batch().keyId().toString();
		this.keys.add(key);
		this.tokens.add(settlement.batch().token().toString());
		this.keep.add(settlement.keep());
		this.delays.add((settlement.delay() != null) ? settlement.delay().toMillis() : null);
		this.failed.add((settlement.failure() == null) ? 0 : settlement.isRiddle() ? RIDDLE : 1);
		this.errors.add(settlement.failure());
		settlement.done().forEach((number) -> this.done.add(key, number));
		settlement.blamed().forEach((number) -> this.blamed.add(key, number));
		settlement.dead().forEach((letter) -> {
			this.dead.add(key, letter.number());
			this.reasons.add(letter.reason());
			this.deadErrors.add(letter.error());
		});
	}

	@Nullable Object[] arguments(int maxAttempts, boolean own, @Nullable String now) {
		return new @Nullable Object[] { texts(this.keys), texts(this.tokens), this.keep.toArray(Boolean[]::new),
				this.delays.toArray(Long[]::new), this.failed.toArray(Integer[]::new), texts(this.errors),
				texts(this.done.keys), this.done.numbers(), texts(this.blamed.keys), this.blamed.numbers(),
				texts(this.dead.keys), this.dead.numbers(), texts(this.reasons), texts(this.deadErrors), maxAttempts,
				own, now };
	}

	private static String[] texts(List<? extends @Nullable String> texts) {
		return texts.toArray(String[]::new);
	}

	/** Messages, each by its key and its number. */
	private static final class Numbers {

		private final List<String> keys = new ArrayList<>();

		private final List<Long> numbers = new ArrayList<>();

		void add(String key, long number) {
			this.keys.add(key);
			this.numbers.add(number);
		}

		Long[] numbers() {
			return this.numbers.toArray(Long[]::new);
		}

	}

}
