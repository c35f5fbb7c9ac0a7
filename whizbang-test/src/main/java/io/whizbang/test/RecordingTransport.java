package io.whizbang.test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import io.whizbang.message.Envelope;
import io.whizbang.message.StreamId;
import io.whizbang.transport.SendResult;
import io.whizbang.transport.Transport;

/**
 * A transport that keeps what it is given, and fails or waits when a test tells it to. It
 * keeps the rules of every transport: after a failure nothing of that stream is sent.
 */
public final class RecordingTransport implements Transport {

	private final String name;

	private final List<Envelope> sent = new CopyOnWriteArrayList<>();

	private final List<Envelope> tried = new CopyOnWriteArrayList<>();

	private final List<Trouble> troubles = new CopyOnWriteArrayList<>();

	private final Gate gate = new Gate();

	/**
	 * Creates a transport with the name {@code recording}.
	 */
	public RecordingTransport() {
		this("recording");
	}

	/**
	 * Creates a transport.
	 * @param name the name that routes refer to
	 */
	public RecordingTransport(String name) {
		this.name = name;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public List<SendResult> send(List<Envelope> messages) {
		this.gate.pass();
		Set<StreamId> stopped = new HashSet<>();
		List<SendResult> results = new ArrayList<>(messages.size());
		for (Envelope message : messages) {
			StreamId stream = message.stream();
			SendResult result = (stream != null && stopped.contains(stream)) ? SendResult.notSent() : send(message);
			if (stream != null && result.status() != SendResult.Status.SENT) {
				stopped.add(stream);
			}
			results.add(result);
		}
		return results;
	}

	private SendResult send(Envelope message) {
		this.tried.add(message);
		for (Trouble trouble : this.troubles) {
			if (trouble.strikes(message)) {
				return trouble.result();
			}
		}
		this.sent.add(message);
		return SendResult.sent();
	}

	/**
	 * Returns what was sent, in the order of sending.
	 * @return the messages; one that was sent twice is there twice
	 */
	public List<Envelope> sent() {
		return List.copyOf(this.sent);
	}

	/**
	 * Returns what was sent to a topic, in the order of sending.
	 * @param topic the topic
	 * @return the messages
	 */
	public List<Envelope> sent(String topic) {
		return this.sent.stream().filter((message) -> message.topic().equals(topic)).toList();
	}

	/**
	 * Returns what was tried, with or without success, in the order of trying.
	 * @return the messages
	 */
	public List<Envelope> tried() {
		return List.copyOf(this.tried);
	}

	/**
	 * Waits until so many messages were sent.
	 * @param count how many, since the last {@link #clear()}
	 * @return all that was sent by then
	 */
	public List<Envelope> awaitSent(int count) {
		Await.until(() -> count + " messages sent, of which " + this.sent.size() + " were: " + this.sent,
				() -> this.sent.size() >= count);
		return sent();
	}

	/**
	 * Lets every message of a topic fail until {@link #recover()}.
	 * @param topic the topic
	 */
	public void failTopic(String topic) {
		fail((message) -> message.topic().equals(topic));
	}

	/**
	 * Lets some messages fail until {@link #recover()}.
	 * @param which the messages
	 */
	public void fail(Predicate<Envelope> which) {
		fail(which, Integer.MAX_VALUE);
	}

	/**
	 * Lets some messages fail for a number of times in all.
	 * @param which the messages
	 * @param times how often
	 */
	public void fail(Predicate<Envelope> which, int times) {
		answer(which, times, SendResult.failed(new IllegalStateException("Told to fail by the test")));
	}

	/**
	 * Lets the other side be out of reach until {@link #recover()}.
	 */
	public void disconnect() {
		answer((message) -> true, Integer.MAX_VALUE,
				SendResult.unreachable(new IllegalStateException("Disconnected by the test")));
	}

	/**
	 * Answers for some messages what the test wants.
	 * @param which the messages
	 * @param times how often
	 * @param result the answer
	 */
	public void answer(Predicate<Envelope> which, int times, SendResult result) {
		this.troubles.add(new Trouble(which, times, result));
	}

	/**
	 * Lets everything succeed again.
	 */
	public void recover() {
		this.troubles.clear();
	}

	/**
	 * Lets every call wait until {@link #release()}.
	 */
	public void block() {
		this.gate.close();
	}

	/**
	 * Waits until so many calls wait.
	 * @param count how many
	 */
	public void awaitBlocked(int count) {
		this.gate.awaitWaiting(count);
	}

	/**
	 * Lets the waiting calls go on.
	 */
	public void release() {
		this.gate.open();
	}

	/**
	 * Forgets what was sent and tried, and every instruction.
	 */
	public void clear() {
		this.sent.clear();
		this.tried.clear();
		recover();
		release();
	}

	@Override
	public String toString() {
		return "Recording transport '" + this.name + "' with " + this.sent.size() + " messages sent";
	}

}
