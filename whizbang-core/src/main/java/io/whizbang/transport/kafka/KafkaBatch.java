package io.whizbang.transport.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.whizbang.message.Envelope;
import io.whizbang.message.StreamId;
import io.whizbang.transport.SendResult;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are sent together.
 */
final class KafkaBatch {

	private final Producer<byte[], byte[]> producer;

	private final KafkaRecords records;

	private final KafkaTopics topics;

	private final String brokers;

	private final long patience;

	/** Streams of which nothing more may be sent or count as sent. */
	private final Set<StreamId> stopped = new HashSet<>();

	/** Set when it is no use to try the rest. */
	private @Nullable SendResult unreachable;

	KafkaBatch(Producer<byte[], byte[]> producer, KafkaRecords records, KafkaTopics topics, String brokers,
			KafkaSettings settings) {
		this.producer = producer;
		this.records = records;
		this.topics = topics;
		this.brokers = brokers;
		this.patience = settings.deliveryTimeout().plus(Duration.ofSeconds(1)).toNanos();
	}

	List<SendResult> send(List<Envelope> messages) {
		List<CompletableFuture<SendResult>> sends = new ArrayList<>(messages.size());
		for (Envelope message : messages) {
			sends.add(begin(message));
		}
		this.producer.flush();
		long deadline = System.nanoTime() + this.patience;
		this.stopped.clear();
		List<SendResult> results = new ArrayList<>(messages.size());
		for (int i = 0; i < messages.size(); i++) {
			results.add(settle(messages.get(i), sends.get(i), deadline));
		}
		return results;
	}

	private CompletableFuture<SendResult> begin(Envelope message) {
		StreamId stream = message.stream();
		if (stream != null && this.stopped.contains(stream)) {
			return CompletableFuture.completedFuture(SendResult.notSent());
		}
		CompletableFuture<SendResult> send = (this.unreachable != null)
				? CompletableFuture.completedFuture(this.unreachable) : send(this.records.record(message));
		// What fails at once, such as a record that is too large, still holds back the
		// later ones of its stream before they leave.
		SendResult failure = failure(send);
		if (failure != null && stream != null) {
			this.stopped.add(stream);
		}
		if (failure != null && failure.status() == SendResult.Status.UNREACHABLE) {
			// Each further one would take the producer's whole patience.
			this.unreachable = failure;
		}
		return send;
	}

	private static @Nullable SendResult failure(CompletableFuture<SendResult> send) {
		SendResult result = send.getNow(null);
		return (result == null || result.status() == SendResult.Status.SENT) ? null : result;
	}

	@SuppressWarnings("FutureReturnValueIgnored") // The callback gets all that it says.
	private CompletableFuture<SendResult> send(ProducerRecord<byte[], byte[]> record) {
		Exception unknown = this.topics.unknown(record.topic());
		if (unknown != null) {
			return CompletableFuture.completedFuture(SendResult.failed(unknown));
		}
		CompletableFuture<SendResult> send = new CompletableFuture<>();
		try {
			this.producer.send(record, (metadata, failure) -> send
				.complete((failure == null) ? SendResult.sent() : result(record.topic(), failure)));
		}
		catch (SerializationException ex) {
			send.complete(SendResult.failed(ex));
		}
		return send;
	}

	private SendResult result(String topic, Exception failure) {
		if (KafkaFailures.isUnknownTopic(failure)) {
			return SendResult.failed(this.topics.addUnknown(topic, failure));
		}
		return KafkaFailures.isAboutTheMessage(failure) ? SendResult.failed(failure) : unreachable(failure);
	}

	private SendResult unreachable(Exception failure) {
		return SendResult.unreachable(new UnreachableKafkaException(this.brokers, failure));
	}

	private SendResult settle(Envelope message, CompletableFuture<SendResult> send, long deadline) {
		StreamId stream = message.stream();
		if (stream != null && this.stopped.contains(stream)) {
			return SendResult.notSent();
		}
		SendResult result = await(send, deadline);
		if (stream != null && result.status() != SendResult.Status.SENT) {
			this.stopped.add(stream);
		}
		return result;
	}

	private SendResult await(CompletableFuture<SendResult> send, long deadline) {
		try {
			return send.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException | ExecutionException ex) {
			return unreachable(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return unreachable(ex);
		}
	}

}
