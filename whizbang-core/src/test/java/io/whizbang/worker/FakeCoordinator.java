package io.whizbang.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import io.whizbang.coordinator.ClaimedWork;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.WorkBatch;
import io.whizbang.coordinator.WorkCoordinator;
import io.whizbang.coordinator.WorkReport;
import io.whizbang.coordinator.WorkRequest;
import io.whizbang.message.Envelope;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import io.whizbang.work.Claim;
import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;
import org.jspecify.annotations.Nullable;

/**
 * A small model of the database's side: claims with a lease and a token, one holder per
 * partition, order per stream, and the same answers.
 */
final class FakeCoordinator implements WorkCoordinator {

	static final int PARTITIONS = 64;

	final List<WorkReport> reports = new ArrayList<>();

	final List<WorkRequest> requests = new ArrayList<>();

	final List<String> calls = new ArrayList<>();

	final Set<Long> done = new HashSet<>();

	final Map<Long, Outcome.Dead> dead = new LinkedHashMap<>();

	final Set<Claim> toldLost = new HashSet<>();

	final Set<Long> toldReleased = new HashSet<>();

	/** Whose share gets delayed messages with every exchange. */
	final Set<Integer> movedTo = new HashSet<>();

	private final TreeMap<Long, Message> messages = new TreeMap<>();

	private final Map<Long, Held> claims = new TreeMap<>();

	private final List<UUID> instances = new ArrayList<>();

	private final LongSupplier nanoTime;

	private final Duration lease;

	private long nextSeq = 1;

	private long nextClaim = 1;

	private int epoch;

	volatile @Nullable RuntimeException failBefore;

	volatile @Nullable RuntimeException failAfter;

	@Nullable Integer watchedSession;

	Runnable duringExchange = () -> {
	};

	/** Whether bodies come along, and are what they are when they are read. */
	BooleanSupplier readsLater = () -> false;

	BooleanSupplier readsWhatWasClaimed = () -> true;

	volatile @Nullable RuntimeException failRead;

	FakeCoordinator(Duration lease, LongSupplier nanoTime) {
		this.lease = lease;
		this.nanoTime = nanoTime;
	}

	synchronized long enqueue(@Nullable String stream) {
		return enqueue(stream, 0);
	}

	synchronized long enqueue(@Nullable String stream, int attempts) {
		long seq = this.nextSeq++;
		Envelope envelope = new Envelope(MessageId.next(), "topic", "Type",
				(stream != null) ? StreamId.of(stream) : null, Map.of(), "{}", Instant.EPOCH);
		this.messages.put(seq, new Message(seq, envelope, attempts, this.nanoTime.getAsLong(), null, false));
		return seq;
	}

	/** Tells the stream before anyone can claim the message. */
	synchronized long enqueueAs(String stream, Map<Long, String> streams) {
		streams.put(this.nextSeq, stream);
		return enqueue(stream);
	}

	synchronized void expire(Claim claim) {
		Held held = this.claims.get(claim.id());
		if (held == null) {
			return;
		}
		giveBack(held);
		List.copyOf(this.claims.values())
			.stream()
			.filter((later) -> later.instance.equals(held.instance) && later.claim.id() > claim.id()
					&& !Collections.disjoint(later.partitions, held.partitions))
			.forEach((later) -> expire(later.claim));
	}

	private void giveBack(Held held) {
		this.claims.remove(held.claim.id());
		held.seqs.forEach((seq) -> put(message(seq).withClaim(null)));
	}

	synchronized void forget(UUID instance) {
		this.instances.remove(instance);
		this.epoch++;
		List.copyOf(this.claims.values())
			.stream()
			.filter((held) -> held.instance.equals(instance))
			.forEach((held) -> expire(held.claim));
	}

	synchronized int left() {
		return this.messages.size();
	}

	synchronized List<UUID> instances() {
		return List.copyOf(this.instances);
	}

	synchronized List<Claim> claims() {
		return this.claims.values().stream().map((held) -> held.claim).toList();
	}

	synchronized @Nullable Claim claimOf(long seq) {
		Message message = this.messages.get(seq);
		return (message != null) ? message.claim : null;
	}

	@Override
	public synchronized UUID register(InstanceInfo info, Set<Queue> queues) {
		this.calls.add("register");
		throwIf(this.failBefore);
		UUID instance = UUID.randomUUID();
		this.instances.add(instance);
		this.epoch++;
		return instance;
	}

	@Override
	public synchronized void watchSession(UUID instance, @Nullable Integer backendPid) {
		this.watchedSession = backendPid;
	}

	@Override
	public synchronized void leave(UUID instance) {
		this.calls.add("leave");
		throwIf(this.failBefore);
		forget(instance);
	}

	@Override
	public WorkBatch exchange(UUID instance, Queue queue, WorkReport report, WorkRequest request) {
		this.duringExchange.run();
		return doExchange(instance, report, request);
	}

	private synchronized WorkBatch doExchange(UUID instance, WorkReport report, WorkRequest request) {
		this.calls.add("exchange");
		throwIf(this.failBefore);
		this.reports.add(report);
		this.requests.add(request);
		if (!this.instances.contains(instance)) {
			return new WorkBatch(true, null, null, ClaimedWork.NONE, Set.of(), Set.of(), false, false, null, 0, -1,
					this.epoch, 0, 0, Set.of(), null);
		}
		expireOld();
		Set<Claim> lost = new HashSet<>();
		Set<Long> released = new HashSet<>();
		apply(instance, report, lost, released);
		report.holding()
			.stream()
			.filter((seq) -> this.claims.values()
				.stream()
				.noneMatch((held) -> held.instance.equals(instance) && held.seqs.contains(seq)))
			.forEach(released::add);
		Claim claim = new Claim(this.nextClaim++, UUID.randomUUID());
		boolean more = claim(instance, claim, request);
		List<Work> work = work(claim);
		throwIf(this.failAfter);
		this.toldLost.addAll(lost);
		this.toldReleased.addAll(released);
		work.forEach((one) -> this.toldReleased.remove(one.seq()));
		return new WorkBatch(false, work.isEmpty() ? null : claim, Instant.EPOCH, bodies(claim, work), lost, released,
				more, heldBack(instance), nextDue(), this.instances.size(), this.instances.indexOf(instance),
				this.epoch, 0, 0, Set.copyOf(this.movedTo), "memory-" + this.reports.size());
	}

	private synchronized List<Work> work(Claim claim) {
		return this.messages.values()
			.stream()
			.filter((message) -> claim.equals(message.claim))
			.map((message) -> new Work(claim, message.seq, message.attempts, null, message.envelope))
			.toList();
	}

	private ClaimedWork bodies(Claim claim, List<Work> work) {
		if (work.isEmpty() || !this.readsLater.getAsBoolean()) {
			return ClaimedWork.of(work);
		}
		return ClaimedWork.later(work.size(), () -> {
			throwIf(this.failRead);
			return this.readsWhatWasClaimed.getAsBoolean() ? work : work(claim);
		});
	}

	private void apply(UUID instance, WorkReport report, Set<Claim> lost, Set<Long> released) {
		report.finished().stream().filter((claim) -> !isHeld(instance, claim)).forEach(lost::add);
		report.outcomes().keySet().stream().map(Work::claim).filter((c) -> !isHeld(instance, c)).forEach(lost::add);
		report.renewed().stream().filter((claim) -> !isHeld(instance, claim)).forEach(lost::add);
		Collection<Claim> known = (report.known() != null) ? report.known() : List.of();
		known.stream().filter((claim) -> !isHeld(instance, claim)).forEach(lost::add);
		report.outcomes()
			.entrySet()
			.stream()
			.filter((entry) -> !lost.contains(entry.getKey().claim()))
			.sorted((a, b) -> Long.compare(a.getKey().seq(), b.getKey().seq()))
			.forEach((entry) -> end(entry.getKey(), entry.getValue(), released));
		report.finished().stream().filter((claim) -> !lost.contains(claim)).forEach((claim) -> {
			Held held = this.claims.remove(claim.id());
			if (held != null) {
				held.seqs.forEach(this::delete);
			}
		});
		report.renewed().stream().map((claim) -> this.claims.get(claim.id())).forEach((held) -> {
			if (held != null) {
				held.expiry = this.nanoTime.getAsLong() + this.lease.toNanos();
			}
		});
		List.copyOf(this.claims.values()).forEach((held) -> {
			boolean unknown = report.known() != null && !known.contains(held.claim);
			if (held.seqs.isEmpty() || held.instance.equals(instance) && unknown) {
				giveBack(held);
			}
		});
	}

	private void end(Work work, Outcome outcome, Set<Long> released) {
		Held held = this.claims.get(work.claim().id());
		if (held == null || !held.seqs.contains(work.seq())) {
			return;
		}
		held.seqs.remove(work.seq());
		Message message = message(work.seq());
		if (outcome instanceof Outcome.Done) {
			delete(work.seq());
		}
		else if (outcome instanceof Outcome.Dead verdict) {
			this.messages.remove(work.seq());
			this.dead.put(work.seq(), verdict);
		}
		else if (outcome instanceof Outcome.Release) {
			put(message.withClaim(null));
			releaseBehind(work, held.instance, released);
		}
		else {
			Duration delay = (outcome instanceof Outcome.Retry retry) ? retry.delay()
					: ((Outcome.Postpone) outcome).delay();
			int attempts = message.attempts + ((outcome instanceof Outcome.Retry) ? 1 : 0);
			put(new Message(message.seq, message.envelope, attempts, this.nanoTime.getAsLong() + delay.toNanos(), null,
					true));
			releaseBehind(work, held.instance, released);
		}
	}

	private void releaseBehind(Work work, UUID instance, Set<Long> released) {
		for (Held held : this.claims.values()) {
			for (long seq : held.instance.equals(instance) ? List.copyOf(held.seqs) : List.<Long>of()) {
				if (seq > work.seq() && work.stream() != null && work.stream().equals(message(seq).stream())) {
					held.seqs.remove(seq);
					put(message(seq).withClaim(null));
					released.add(seq);
				}
			}
		}
	}

	private boolean claim(UUID instance, Claim claim, WorkRequest request) {
		Set<Integer> taken = new HashSet<>();
		this.claims.values()
			.stream()
			.filter((held) -> held.hasHeads || !request.behindOwn() || !held.instance.equals(instance))
			.forEach((held) -> taken.addAll(held.partitions));
		Set<UUID> waiting = new HashSet<>();
		Held held = new Held(claim, instance, this.nanoTime.getAsLong() + this.lease.toNanos());
		boolean more = false;
		for (Message message : List.copyOf(this.messages.values())) {
			int rank = message.partition() % this.instances.size();
			boolean mine = request.steal() || rank == this.instances.indexOf(instance);
			if (message.claim != null || !mine || taken.contains(message.partition())
					|| waiting.contains(message.key())) {
				continue;
			}
			if (message.dueAt - this.nanoTime.getAsLong() > 0) {
				waiting.add(message.key());
				continue;
			}
			if (held.seqs.size() == request.limit()) {
				more = true;
				break;
			}
			held.seqs.add(message.seq);
			held.hasHeads |= message.returned;
			held.partitions.add(message.partition());
			put(message.withClaim(claim));
		}
		if (!held.seqs.isEmpty()) {
			this.claims.put(claim.id(), held);
		}
		return more && request.limit() > 0;
	}

	private boolean heldBack(UUID instance) {
		Set<Integer> others = new HashSet<>();
		this.claims.values()
			.stream()
			.filter((held) -> !held.instance.equals(instance))
			.forEach((held) -> others.addAll(held.partitions));
		return this.messages.values()
			.stream()
			.anyMatch((message) -> message.claim == null && others.contains(message.partition())
					&& message.partition() % this.instances.size() == this.instances.indexOf(instance));
	}

	private @Nullable Duration nextDue() {
		long now = this.nanoTime.getAsLong();
		return this.messages.values()
			.stream()
			.filter((message) -> message.claim == null && message.dueAt - now > 0)
			.map((message) -> Duration.ofNanos(message.dueAt - now))
			.min(Duration::compareTo)
			.orElse(null);
	}

	private void expireOld() {
		long now = this.nanoTime.getAsLong();
		List.copyOf(this.claims.values())
			.stream()
			.filter((held) -> held.expiry - now <= 0)
			.forEach((held) -> expire(held.claim));
	}

	private boolean isHeld(UUID instance, Claim claim) {
		Held held = this.claims.get(claim.id());
		return held != null && held.claim.equals(claim) && held.instance.equals(instance);
	}

	private Message message(long seq) {
		Message message = this.messages.get(seq);
		if (message == null) {
			throw new AssertionError("No message " + seq);
		}
		return message;
	}

	private void put(Message message) {
		this.messages.put(message.seq, message);
	}

	private void delete(long seq) {
		this.messages.remove(seq);
		this.done.add(seq);
	}

	private static void throwIf(@Nullable RuntimeException failure) {
		if (failure != null) {
			throw failure;
		}
	}

	private record Message(long seq, Envelope envelope, int attempts, long dueAt, @Nullable Claim claim,
			boolean returned) {

		Message withClaim(@Nullable Claim claim) {
			return new Message(this.seq, this.envelope, this.attempts, this.dueAt, claim,
					this.returned || claim == null);
		}

		@Nullable UUID stream() {
			StreamId stream = this.envelope.stream();
			return (stream != null) ? stream.value() : null;
		}

		UUID key() {
			UUID stream = stream();
			return (stream != null) ? stream : this.envelope.id().value();
		}

		int partition() {
			return StreamId.partitionHash(key()) % PARTITIONS;
		}

	}

	private static final class Held {

		private final Claim claim;

		private final UUID instance;

		private final Set<Long> seqs = new java.util.TreeSet<>();

		private final Set<Integer> partitions = new HashSet<>();

		private boolean hasHeads;

		private long expiry;

		Held(Claim claim, UUID instance, long expiry) {
			this.claim = claim;
			this.instance = instance;
			this.expiry = expiry;
		}

	}

}
