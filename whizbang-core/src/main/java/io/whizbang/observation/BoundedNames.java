package io.whizbang.observation;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Names that become values of a tag. They may be made up at run time; meters must not
 * grow with them.
 */
public final class BoundedNames {

	/** So many names have a value of their own. */
	public static final int MAX = 200;

	/** What all others share. */
	public static final String OTHER = "other";

	private final Set<String> names = ConcurrentHashMap.newKeySet();

	/**
	 * Returns the value for a name.
	 * @param name the name
	 * @return the name, or one for all that came too late
	 */
	public String of(String name) {
		if (this.names.contains(name)) {
			return name;
		}
		if (this.names.size() < MAX) {
			this.names.add(name);
			return name;
		}
		return OTHER;
	}

}
