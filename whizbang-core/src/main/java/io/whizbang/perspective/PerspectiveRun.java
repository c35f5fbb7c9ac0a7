package io.whizbang.perspective;

import org.springframework.util.Assert;

/**
 * One life of a read model. A rebuild begins another one, beside the one that serves or
 * in its place.
 *
 * @param name the perspective's name
 * @param version version of its code
 * @param run number of the life, from 1, counted over all versions
 */
public record PerspectiveRun(String name, int version, int run) {

	public PerspectiveRun {
		Assert.hasText(name, "The name of a perspective must not be blank");
		Assert.isTrue(version >= 1,
				() -> "The version of the perspective \"%s\" must be at least 1 but is %d".formatted(name, version));
		Assert.isTrue(run >= 1,
				() -> "The run of the perspective \"%s\" must be at least 1 but is %d".formatted(name, run));
	}

	/**
	 * Returns a name for what belongs to this run alone, so that two runs do not write
	 * into each other's tables.
	 * @param base the name that the first run uses
	 * @return the name, such as {@code sales_r2}
	 */
	public String table(String base) {
		return (this.run == 1) ? base : base + "_r" + this.run;
	}

}
