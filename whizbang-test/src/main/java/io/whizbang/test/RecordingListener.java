package io.whizbang.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.whizbang.work.Outcome;
import io.whizbang.work.Queue;
import io.whizbang.work.Work;
import io.whizbang.work.WorkListener;

/**
 * Remembers the work that has ended, and passes on to others all that it hears.
 */
final class RecordingListener implements WorkListener {

	private final List<WorkListener> others;

	private final List<ManualWorker.Ended> ended = new ArrayList<>();

	RecordingListener(List<WorkListener> others) {
		this.others = List.copyOf(others);
	}

	synchronized List<ManualWorker.Ended> takeAll() {
		List<ManualWorker.Ended> all = List.copyOf(this.ended);
		this.ended.clear();
		return all;
	}

	@Override
	public void ended(Queue queue, Work work, Outcome outcome) {
		synchronized (this) {
			this.ended.add(new ManualWorker.Ended(work, outcome));
		}
		this.others.forEach((other) -> other.ended(queue, work, outcome));
	}

	@Override
	public void exchanged(Queue queue, int claimed, Duration took) {
		this.others.forEach((other) -> other.exchanged(queue, claimed, took));
	}

	@Override
	public void roundFailed(Queue queue, Exception failure) {
		this.others.forEach((other) -> other.roundFailed(queue, failure));
	}

	@Override
	public void claimsLost(Queue queue, int count) {
		this.others.forEach((other) -> other.claimsLost(queue, count));
	}

	@Override
	public void messagesRecovered(Queue queue, int count) {
		this.others.forEach((other) -> other.messagesRecovered(queue, count));
	}

	@Override
	public void orphansFound(Queue queue, int count) {
		this.others.forEach((other) -> other.orphansFound(queue, count));
	}

	@Override
	public void membersEnded(Queue queue) {
		this.others.forEach((other) -> other.membersEnded(queue));
	}

	@Override
	public void received(Queue queue, int accepted, int duplicates, int conflicts) {
		this.others.forEach((other) -> other.received(queue, accepted, duplicates, conflicts));
	}

	@Override
	public void unhandled(Queue queue, Work work) {
		this.others.forEach((other) -> other.unhandled(queue, work));
	}

}
