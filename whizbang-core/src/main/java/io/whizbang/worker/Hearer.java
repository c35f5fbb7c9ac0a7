package io.whizbang.worker;

import org.jspecify.annotations.Nullable;

/**
 * Somebody whom the listener tells what it hears. Called on the listener's thread; must
 * not block.
 */
public interface Hearer {

	/** Another instance, or this one, has announced work. */
	void announced(Announcement announcement);

	/**
	 * Listening has begun or ended: announcements may have been missed.
	 * @param backendPid the listener's session, or {@code null} when it has none
	 */
	void listening(@Nullable Integer backendPid);

}
