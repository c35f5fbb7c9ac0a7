package io.whizbang.benchmarks.peer;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

import io.whizbang.benchmarks.Payload;
import io.whizbang.benchmarks.Steady;

/**
 * The messages of one measurement. Each producer has streams of its own, so that the
 * order of their commits is known without a doubt.
 */
final class Orders implements Steady.Messages, Consumer<Payload> {

	private static final int STREAMS_OF_A_PRODUCER = 2500;

	private static final int PRODUCERS = 8;

	private static final String STREAM = "stream-";

	private final String text;

	private final int[] places = new int[PRODUCERS * STREAMS_OF_A_PRODUCER];

	private final MessageLog committed = new MessageLog();

	private final MessageLog delivered = new MessageLog();

	/**
	 * Creates messages.
	 * @param run what tells them from those of other measurements
	 */
	Orders(String run) {
		this.text = run + " " + Payload.TEXT;
	}

	@Override
	public Payload next(int producer) {
		int stream = producer * STREAMS_OF_A_PRODUCER + ThreadLocalRandom.current().nextInt(STREAMS_OF_A_PRODUCER);
		return payload(stream, this.places[stream]++);
	}

	/** Makes a message of a backlog. */
	Payload payload(int stream, int place) {
		return new Payload(place, STREAM + stream, System.nanoTime(), this.text);
	}

	@Override
	public void committed(Payload payload) {
		this.committed.add(stream(payload), payload.number(), System.nanoTime());
	}

	/** Notes a delivery. */
	@Override
	public void accept(Payload payload) {
		if (payload.text().equals(this.text)) {
			this.delivered.add(stream(payload), payload.number(), System.nanoTime());
		}
	}

	private static int stream(Payload payload) {
		return Integer.parseInt(payload.stream(), STREAM.length(), payload.stream().length(), 10);
	}

	MessageLog commits() {
		return this.committed;
	}

	MessageLog deliveries() {
		return this.delivered;
	}

}
