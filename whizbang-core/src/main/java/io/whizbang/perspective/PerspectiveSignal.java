package io.whizbang.perspective;

import java.util.List;

import io.whizbang.event.Appended;
import io.whizbang.event.EventSignal;
import io.whizbang.work.Queue;
import io.whizbang.worker.Announcement;
import io.whizbang.worker.WorkNotifier;
import org.jspecify.annotations.Nullable;

/**
 * Wakes this instance's perspectives when events were committed, and has those of others
 * told.
 */
public final class PerspectiveSignal implements EventSignal {

	/**
	 * What is announced when an instance joins or leaves, or when somebody has changed
	 * runs or streams: others should ask who works on what and what is due, and not only
	 * when they do so anyway.
	 */
	static final String MEMBERS = "perspective-members";

	private static final Announcement MEMBERS_CHANGED = new Announcement(MEMBERS, -1, null);

	private final PerspectiveWorker worker;

	private final @Nullable WorkNotifier notifier;

	/**
	 * Creates a signal.
	 * @param worker this instance's worker
	 * @param notifier tells other instances, or {@code null} when they find out by
	 * looking
	 */
	public PerspectiveSignal(PerspectiveWorker worker, @Nullable WorkNotifier notifier) {
		this.worker = worker;
		this.notifier = notifier;
		if (notifier != null) {
			worker.whenMembersChange(() -> notifier.announce(MEMBERS_CHANGED));
		}
	}

	@Override
	public void appended(List<Appended> appended) {
		this.worker.signal();
		announce();
	}

	void announce() {
		if (this.notifier != null && !this.worker.isAlone()) {
			this.notifier.announce(Announcement.toEveryone(Queue.PERSPECTIVES));
		}
	}

	/**
	 * Lets all instances ask which streams are due, because some were changed from
	 * outside of the perspectives.
	 * @param worker this instance's worker, or {@code null} when it has none
	 * @param notifier tells other instances, or {@code null} when they find out by
	 * looking
	 */
	public static void changed(@Nullable PerspectiveWorker worker, @Nullable WorkNotifier notifier) {
		if (worker != null) {
			worker.look();
		}
		if (notifier != null) {
			notifier.announce(MEMBERS_CHANGED);
		}
	}

}
