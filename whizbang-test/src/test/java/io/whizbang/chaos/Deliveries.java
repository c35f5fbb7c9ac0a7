package io.whizbang.chaos;

import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import io.whizbang.chaos.Findings.Kind;
import io.whizbang.work.Work;

/**
 * What was delivered, over all instances. Checks the order of first deliveries as they
 * happen.
 */
final class Deliveries {

	private final Map<UUID, First> firsts = new ConcurrentHashMap<>();

	private final Map<UUID, AtomicLong> lastOfStream = new ConcurrentHashMap<>();

	private final AtomicLong count = new AtomicLong();

	private final Findings findings;

	Deliveries(Findings findings) {
		this.findings = findings;
	}

	void add(Work work) {
		this.count.incrementAndGet();
		UUID id = work.envelope().id().value();
		UUID stream = work.stream();
		if (stream == null || Message.isDelayed(work.envelope())) {
			this.firsts.putIfAbsent(id, new First(id, work.seq(), System.nanoTime()));
			return;
		}
		AtomicLong last = this.lastOfStream.computeIfAbsent(stream, (key) -> new AtomicLong());
		synchronized (last) {
			if (this.firsts.putIfAbsent(id, new First(id, work.seq(), System.nanoTime())) == null
					&& last.getAndAccumulate(work.seq(), Math::max) > work.seq()) {
				this.findings.add(Kind.ORDER,
						"stream " + stream + " has " + work.seq() + " delivered first after " + last);
			}
		}
	}

	Collection<First> firsts() {
		return this.firsts.values();
	}

	First first(UUID id) {
		return this.firsts.get(id);
	}

	long count() {
		return this.count.get();
	}

	int distinct() {
		return this.firsts.size();
	}

	/**
	 * The first delivery of a message.
	 *
	 * @param id the message
	 * @param seq its place in the queue
	 * @param nanos when
	 */
	record First(UUID id, long seq, long nanos) {
	}

}
