package io.whizbang.lease;

import java.util.Collection;
import java.util.Locale;

import io.whizbang.worker.Announcement;
import io.whizbang.worker.Hearer;
import io.whizbang.worker.WorkNotifier;
import org.jspecify.annotations.Nullable;

/**
 * What instances tell each other of leases: that somebody waits for one, and, only if so,
 * that it is free again. Nobody depends on it: who waits also looks by itself.
 */
final class LeaseNews implements Hearer {

	private static final String WANTED = "lease-wanted:";

	private static final String FREE = "lease-free:";

	private final Collection<HeldLease> held;

	private final LeaseWaiters waiters;

	private final @Nullable WorkNotifier notifier;

	/**
	 * Creates news.
	 * @param held the leases of this instance
	 * @param waiters who waits here
	 * @param notifier tells other instances, or {@code null} when they find out by
	 * looking
	 */
	LeaseNews(Collection<HeldLease> held, LeaseWaiters waiters, @Nullable WorkNotifier notifier) {
		this.held = held;
		this.waiters = waiters;
		this.notifier = notifier;
	}

	/** Somebody here waits for a lease of another instance, whoever that is. */
	void wanted(String name) {
		announce(WANTED + mark(name));
	}

	/** A lease was released here. */
	void free(String name, boolean wanted) {
		this.waiters.released(name);
		if (wanted) {
			announce(FREE + mark(name));
		}
	}

	private void announce(String news) {
		if (this.notifier != null) {
			this.notifier.announce(new Announcement(news, -1, null));
		}
	}

	@Override
	public void announced(Announcement announcement) {
		String news = announcement.queue();
		if (news.startsWith(WANTED)) {
			String mark = news.substring(WANTED.length());
			this.held.stream().filter((lease) -> mark(lease.name()).equals(mark)).forEach(HeldLease::want);
		}
		else if (news.startsWith(FREE)) {
			String mark = news.substring(FREE.length());
			this.waiters.released((name) -> mark(name).equals(mark));
		}
	}

	@Override
	public void listening(@Nullable Integer backendPid) {
		this.waiters.released((name) -> true);
	}

	/**
	 * Names may have any characters. Two names with the same mark only look once more.
	 */
	private static String mark(String name) {
		return String.format(Locale.ROOT, "%08x", name.hashCode());
	}

}
