package io.whizbang.event;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.whizbang.coordinator.TransactionCheck;
import io.whizbang.message.CurrentMessage;
import io.whizbang.message.StreamId;
import io.whizbang.observation.EventObservations;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.Assert;

/**
 * Event store in the application's own database.
 */
public final class JdbcEventStore implements EventStore {

	private final JdbcEvents events;

	private final TransactionCheck check;

	private final TransactionTemplate ownTransaction;

	private final EventCodec codec;

	private final EventStoreSettings settings;

	private final EventMetadataSource metadata;

	private final @Nullable EventPublisher publisher;

	private final EventObservations observations;

	private final EventSignal signal;

	/**
	 * Creates an event store.
	 * @param dataSource the database, the same that the application's transactions use
	 * @param schema the schema that Whizbang is installed in
	 * @param codec how events are written and read
	 * @param settings how it reads
	 * @param metadata what is known about all events
	 * @param publisher sends appended events, or {@code null} when none are sent
	 * @param observations who observes
	 */
	public JdbcEventStore(DataSource dataSource, String schema, EventCodec codec, EventStoreSettings settings,
			EventMetadataSource metadata, @Nullable EventPublisher publisher, EventObservations observations) {
		this(dataSource, schema, codec, settings, metadata, publisher, observations, EventSignal.NONE);
	}

	/**
	 * Creates an event store that tells of what is appended.
	 * @param dataSource the database, the same that the application's transactions use
	 * @param schema the schema that Whizbang is installed in
	 * @param codec how events are written and read
	 * @param settings how it reads
	 * @param metadata what is known about all events
	 * @param publisher sends appended events, or {@code null} when none are sent
	 * @param observations who observes
	 * @param signal who wants to know of appended events
	 */
	public JdbcEventStore(DataSource dataSource, String schema, EventCodec codec, EventStoreSettings settings,
			EventMetadataSource metadata, @Nullable EventPublisher publisher, EventObservations observations,
			EventSignal signal) {
		DataSource target = unwrap(dataSource);
		this.events = new JdbcEvents(target, schema, settings.pageBytes());
		this.check = new TransactionCheck(target, "append", "event");
		this.ownTransaction = new TransactionTemplate(new JdbcTransactionManager(target));
		this.ownTransaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.codec = codec;
		this.settings = settings;
		this.metadata = metadata;
		this.publisher = publisher;
		this.observations = observations;
		this.signal = signal;
	}

	@Override
	public List<Appended> appendAll(Collection<StreamAppend> appends) {
		List<StreamAppend> all = List.copyOf(appends);
		Assert.notEmpty(all, "There is nothing to append; give at least one stream and one event");
		checkDistinct(all);
		if (TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.isSynchronizationActive()) {
			this.check.requireWritableTransaction();
			return observed(all);
		}
		this.check.requireNoHiddenTransaction();
		Supplier<List<Appended>> append = () -> observed(all);
		return this.ownTransaction.<List<Appended>>execute((status) -> append.get());
	}

	private static void checkDistinct(List<StreamAppend> appends) {
		Set<Object> seen = new HashSet<>();
		for (StreamAppend append : appends) {
			Assert.isTrue(seen.add(append.stream().value()),
					() -> "The stream \"%s\" is given twice; put all its events into one append"
						.formatted(append.stream().key()));
		}
	}

	private List<Appended> observed(List<StreamAppend> appends) {
		StreamAppend first = appends.get(0);
		int count = appends.stream().mapToInt((append) -> append.events().size()).sum();
		return this.observations.append(first.stream().key(), this.codec.nameOf(first.events().get(0)).name(), count,
				(added) -> append(appends, added));
	}

	private List<Appended> append(List<StreamAppend> appends, Map<String, String> added) {
		EventMetadata inherited = inherited(added);
		List<EncodedEvent> encoded = new ArrayList<>();
		for (StreamAppend append : appends) {
			for (NewEvent event : append.events()) {
				encoded
					.add(this.codec.encode(new NewEvent(event.id(), event.payload(), inherited.and(event.metadata()))));
			}
		}
		List<Appended> appended = this.events.append(appends, encoded);
		AppendedInTransaction.add(this.signal, appended);
		if (this.publisher != null) {
			this.publisher.publish(appended, encoded);
		}
		return appended;
	}

	/** What the application says wins over what comes by itself. */
	private EventMetadata inherited(Map<String, String> added) {
		Map<String, String> values = new HashMap<>(added);
		values.putAll(CurrentMessage.lineage());
		return new EventMetadata(values).and(this.metadata.current());
	}

	@Override
	public Stream<StoredEvent> read(StreamId stream, long fromVersion) {
		return forwards(stream, fromVersion, Long.MAX_VALUE);
	}

	@Override
	public List<StoredEvent> readPage(StreamId stream, long fromVersion, int limit) {
		checkLimit(limit);
		return forwards(stream, fromVersion, limit).toList();
	}

	private Stream<StoredEvent> forwards(StreamId stream, long fromVersion, long limit) {
		checkVersion(fromVersion);
		return pages((last, size) -> this.events.readStream(stream, (last != null) ? last.version() + 1 : fromVersion,
				false, size), stream, limit);
	}

	@Override
	public Stream<StoredEvent> readBackwards(StreamId stream, long fromVersion) {
		checkVersion(fromVersion);
		return pages((last, size) -> this.events.readStream(stream, (last != null) ? last.version() - 1 : fromVersion,
				true, size), stream, Long.MAX_VALUE);
	}

	@Override
	public Stream<StoredEvent> readAll(long afterPosition, int limit) {
		checkLimit(limit);
		return pages((last, size) -> this.events.readAll((last != null) ? last.position() : afterPosition, size), null,
				limit);
	}

	private Stream<StoredEvent> pages(EventPages.Fetch fetch, @Nullable StreamId stream, long limit) {
		return EventPages.stream(fetch, (event) -> this.codec.decode(event, stream), this.settings.pageSize(), limit);
	}

	@Override
	public StreamInfo info(StreamId stream) {
		return this.events.info(stream);
	}

	private static void checkVersion(long fromVersion) {
		Assert.isTrue(fromVersion >= 1,
				() -> "The version to read from must be at least 1 but is %d".formatted(fromVersion));
	}

	private static void checkLimit(int limit) {
		Assert.isTrue(limit >= 1, () -> "The limit must be at least 1 but is %d".formatted(limit));
	}

	private static DataSource unwrap(DataSource dataSource) {
		DataSource unwrapped = dataSource;
		while (unwrapped instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
			unwrapped = proxy.getTargetDataSource();
		}
		return unwrapped;
	}

}
