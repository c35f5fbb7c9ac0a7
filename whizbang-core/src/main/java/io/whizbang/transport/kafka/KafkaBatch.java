package io.whizbang.transport.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.whizbang.message.Envelope;
import io.whizbang.message.StreamId;
import io.whizbang.transport.SendResult;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
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
		CountDownLatch open = new CountDownLatch(messages.size());
		List<Sending> sends = new ArrayList<>(messages.size());
		for (Envelope message : messages) {
			Sending sending = new Sending(message.stream(), open);
			begin(message, sending);
			sends.add(sending);
		}
		this.producer.flush();
		SendResult ofOpen = await(open);
		this.stopped.clear();
		List<SendResult> results = new ArrayList<>(messages.size());
		for (Sending sending : sends) {
			results.add(settle(sending, ofOpen));
		}
		return results;
	}

	private void begin(Envelope message, Sending sending) {
		if (isStopped(sending.stream)) {
			sending.settle(SendResult.notSent());
			return;
		}
		if (this.unreachable != null) {
			sending.settle(this.unreachable);
		}
		else {
			send(this.records.record(message), sending);
		}
		// What fails at once, such as a record that is too large, still holds back the
		// later ones of its stream before they leave.
		SendResult failure = sending.failure();
		if (failure != null) {
			stop(sending.stream);
		}
		if (failure != null && failure.status() == SendResult.Status.UNREACHABLE) {
			// Each further one would take the producer's whole patience.
			this.unreachable = failure;
		}
	}

	@SuppressWarnings("FutureReturnValueIgnored") // The callback gets all that it says.
	private void send(ProducerRecord<byte[], byte[]> record, Sending sending) {
		sending.topic = record.topic();
		Exception unknown = this.topics.unknown(record.topic());
		if (unknown != null) {
			sending.settle(SendResult.failed(unknown));
			return;
		}
		try {
			this.producer.send(record, sending);
		}
		catch (SerializationException ex) {
			sending.settle(SendResult.failed(ex));
		}
	}

	private SendResult settle(Sending sending, SendResult ofOpen) {
		if (isStopped(sending.stream)) {
			return SendResult.notSent();
		}
		SendResult known = sending.result;
		SendResult result = (known != null) ? known : ofOpen;
		if (result.status() != SendResult.Status.SENT) {
			stop(sending.stream);
		}
		return result;
	}

	/** Waits for all answers; returns what holds for messages that have got none. */
	private SendResult await(CountDownLatch open) {
		try {
			open.await(this.patience, TimeUnit.NANOSECONDS);
			return unreachable(new TimeoutException("No answer within the delivery timeout"));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return unreachable(ex);
		}
	}

	private boolean isStopped(@Nullable StreamId stream) {
		return stream != null && !this.stopped.isEmpty() && this.stopped.contains(stream);
	}

	private void stop(@Nullable StreamId stream) {
		if (stream != null) {
			this.stopped.add(stream);
		}
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

	/**
	 * A message on its way. The producer answers on a thread of its own, or within the
	 * call that sends.
	 */
	private final class Sending implements Callback {

		private final @Nullable StreamId stream;

		private final CountDownLatch open;

		private String topic = "";

		private volatile @Nullable SendResult result;

		Sending(@Nullable StreamId stream, CountDownLatch open) {
			this.stream = stream;
			this.open = open;
		}

		@Override
		public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception failure) {
			settle((failure == null) ? SendResult.sent() : KafkaBatch.this.result(this.topic, failure));
		}

		void settle(SendResult result) {
			this.result = result;
			this.open.countDown();
		}

		@Nullable SendResult failure() {
			SendResult known = this.result;
			return (known == null || known.status() == SendResult.Status.SENT) ? null : known;
		}

	}

}
