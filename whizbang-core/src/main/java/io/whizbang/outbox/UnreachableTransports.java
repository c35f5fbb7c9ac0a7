package io.whizbang.outbox;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

import io.whizbang.transport.SendResult;
import io.whizbang.transport.TransportStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transports whose other side cannot be reached. While one is among them, only one batch
 * at a time finds out whether that is still so: a try may take its whole timeout, and
 * must not hold every lane that long.
 */
final class UnreachableTransports {

	private static final Logger logger = LoggerFactory.getLogger(UnreachableTransports.class);

	private final Map<String, Outage> outages = new ConcurrentHashMap<>();

	private final LongSupplier nanoTime;

	UnreachableTransports(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Asks to try a transport. Who may try must report.
	 * @param transport name of the transport
	 * @return why not, or {@code null} to go ahead
	 */
	@Nullable Exception refuse(String transport) {
		Outage outage = this.outages.get(transport);
		return (outage == null || outage.beingTried.compareAndSet(false, true)) ? null : outage.failure;
	}

	/**
	 * Takes note of what a try gave.
	 * @param transport name of the transport
	 * @param results what became of the messages
	 */
	void report(String transport, List<SendResult> results) {
		if (results.stream().anyMatch((result) -> result.status() == SendResult.Status.SENT)) {
			recover(transport);
			return;
		}
		results.stream()
			.filter((result) -> result.status() == SendResult.Status.UNREACHABLE)
			.findFirst()
			.ifPresentOrElse((result) -> fail(transport, TransportDelivery.failure(result)),
					() -> stopTrying(transport));
	}

	private void fail(String transport, Exception failure) {
		Outage before = this.outages.get(transport);
		long since = (before != null) ? before.since : this.nanoTime.getAsLong();
		if (this.outages.put(transport, new Outage(since, failure, new AtomicBoolean())) == null) {
			logger.warn("The transport \"{}\" cannot be reached; its messages wait, and no attempt counts: {}",
					transport, String.valueOf(failure));
		}
	}

	private void recover(String transport) {
		Outage over = this.outages.isEmpty() ? null : this.outages.remove(transport);
		if (over != null) {
			logger.info("The transport \"{}\" can be reached again, after {} s", transport, lasted(over).toSeconds());
		}
	}

	private void stopTrying(String transport) {
		Outage outage = this.outages.get(transport);
		if (outage != null) {
			outage.beingTried.set(false);
		}
	}

	TransportStatus status(String transport) {
		Outage outage = this.outages.get(transport);
		return (outage == null) ? new TransportStatus(transport, null, null)
				: new TransportStatus(transport, lasted(outage), String.valueOf(outage.failure));
	}

	private Duration lasted(Outage outage) {
		return Duration.ofNanos(this.nanoTime.getAsLong() - outage.since);
	}

	/**
	 * What is known of one transport.
	 *
	 * @param since when it was first found unreachable
	 * @param failure why, the last time
	 * @param beingTried whether somebody finds out
	 */
	private record Outage(long since, Exception failure, AtomicBoolean beingTried) {

	}

}
