package io.whizbang.event;

import org.springframework.util.Assert;

/**
 * Where a stream must stand for events to be appended.
 *
 * @param value the version of its last event; 0 when the stream must not exist, -1 when
 * it does not matter
 */
public record ExpectedVersion(long value) {

	private static final ExpectedVersion ANY = new ExpectedVersion(-1);

	private static final ExpectedVersion NONE = new ExpectedVersion(0);

	public ExpectedVersion {
		Assert.isTrue(value >= -1, () -> "An expected version must be at least 1 but is %d".formatted(value)
				+ "; a stream that must not exist has ExpectedVersion.none(), and ExpectedVersion.any() stands for all");
	}

	/**
	 * Wherever the stream stands: appends wait for each other and all succeed.
	 * @return the expectation
	 */
	public static ExpectedVersion any() {
		return ANY;
	}

	/**
	 * There must be no such stream yet.
	 * @return the expectation
	 */
	public static ExpectedVersion none() {
		return NONE;
	}

	/**
	 * The last event must have this version: of several appends that expect the same one
	 * succeeds.
	 * @param version the version, as read before; 0 means {@link #none()}
	 * @return the expectation
	 */
	public static ExpectedVersion exactly(long version) {
		Assert.isTrue(version >= 0, () -> "An expected version must be at least 0 but is %d".formatted(version));
		return new ExpectedVersion(version);
	}

	public boolean isAny() {
		return this.value == -1;
	}

	@Override
	public String toString() {
		if (isAny()) {
			return "any version";
		}
		return (this.value == 0) ? "no stream" : "version " + this.value;
	}

}
