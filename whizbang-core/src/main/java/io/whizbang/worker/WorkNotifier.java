package io.whizbang.worker;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announces work to other instances with NOTIFY: all that gathers within a few
 * milliseconds in one short transaction of its own. NOTIFY in the transactions that
 * enqueue would make all their commits wait for one lock of the cluster.
 */
public final class WorkNotifier {

	private static final Logger logger = LoggerFactory.getLogger(WorkNotifier.class);

	private static final Duration GATHER = Duration.ofMillis(5);

	private static final Duration IDLE = Duration.ofMinutes(1);

	private final PostgresAnnouncements announcements;

	private final Waker waker = new Waker();

	private final ReentrantLock lock = new ReentrantLock();

	private Map<String, Announcement> gathered = new LinkedHashMap<>();

	private volatile @Nullable Runner runner;

	public WorkNotifier(DataSource dataSource, AnnouncementChannel channel) {
		this.announcements = new PostgresAnnouncements(dataSource, channel);
	}

	/** Has the announcement sent soon; never blocks. While stopped, nothing is sent. */
	public void announce(Announcement announcement) {
		if (this.runner == null) {
			return;
		}
		gather(announcement);
		this.waker.wake();
	}

	private void gather(Announcement announcement) {
		this.lock.lock();
		try {
			this.gathered.merge(announcement.queue(), announcement, Announcement::and);
		}
		finally {
			this.lock.unlock();
		}
	}

	void start() {
		if (this.runner == null) {
			WorkLoop loop = new WorkLoop("Whizbang's notifier", this::step, this.waker);
			this.runner = Runner.start("whizbang-notifier", loop, this::sendLast);
		}
	}

	void stop() {
		Runner runner = this.runner;
		this.runner = null;
		if (runner != null) {
			runner.stop();
			runner.join(Duration.ofSeconds(5));
		}
	}

	private Duration step() {
		Collection<Announcement> announcements = take();
		if (announcements.isEmpty()) {
			return IDLE;
		}
		try {
			this.announcements.send(announcements);
		}
		catch (SQLException ex) {
			// Others would not look before their next poll; the pause is the loop's.
			announcements.forEach(this::gather);
			throw new IllegalStateException("Work could not be announced to other instances", ex);
		}
		logger.trace("Announced {}", announcements);
		pause();
		return Duration.ZERO;
	}

	private void sendLast() {
		Collection<Announcement> last = take();
		if (last.isEmpty()) {
			return;
		}
		try {
			this.announcements.send(last);
		}
		catch (SQLException ex) {
			logger.debug("The last announcements were lost", ex);
		}
	}

	private Collection<Announcement> take() {
		this.lock.lock();
		try {
			Collection<Announcement> taken = this.gathered.values();
			if (!taken.isEmpty()) {
				this.gathered = new LinkedHashMap<>();
			}
			return taken;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** The first announcement goes out at once; those that come while it does gather. */
	private void pause() {
		long start = System.nanoTime();
		Duration left = GATHER;
		while (this.runner != null && left.compareTo(Duration.ZERO) > 0) {
			this.waker.await(left);
			left = GATHER.minusNanos(System.nanoTime() - start);
		}
	}

}
