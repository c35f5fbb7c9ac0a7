package io.whizbang.outbox;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import io.whizbang.message.Envelope;
import io.whizbang.transport.SendResult;
import io.whizbang.transport.Transport;

/**
 * A transport that answers what a test wants and keeps what it is given.
 */
final class StubTransport implements Transport {

	private final String name;

	private final Function<Envelope, SendResult> answer;

	private final List<List<String>> sends = new ArrayList<>();

	int batchSize = 500;

	StubTransport(String name) {
		this(name, (message) -> SendResult.sent());
	}

	StubTransport(String name, Function<Envelope, SendResult> answer) {
		this.name = name;
		this.answer = answer;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public int batchSize() {
		return this.batchSize;
	}

	@Override
	public List<SendResult> send(List<Envelope> messages) {
		this.sends.add(messages.stream().map(Envelope::payload).toList());
		return messages.stream().map(this.answer).toList();
	}

	/** Payloads of each call. */
	List<List<String>> sends() {
		return this.sends;
	}

}
