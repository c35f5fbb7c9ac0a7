package io.whizbang.autoconfigure;

import java.util.List;

import io.micrometer.observation.ObservationRegistry;
import io.whizbang.event.EventCodec;
import io.whizbang.event.EventMetadata;
import io.whizbang.event.EventMetadataSource;
import io.whizbang.event.EventPublisher;
import io.whizbang.event.EventSignal;
import io.whizbang.event.EventStore;
import io.whizbang.event.EventStoreSettings;
import io.whizbang.event.EventTopics;
import io.whizbang.event.EventTypes;
import io.whizbang.event.JdbcEventStore;
import io.whizbang.event.Upcaster;
import io.whizbang.message.MessageCodec;
import io.whizbang.observation.AppendConvention;
import io.whizbang.observation.EventObservations;
import io.whizbang.outbox.Outbox;
import io.whizbang.work.DefinitionException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the event store.
 */
@AutoConfiguration(after = { WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = { "whizbang.enabled", "whizbang.events.enabled" }, matchIfMissing = true)
@EnableConfigurationProperties(EventStoreProperties.class)
@Import(EventTypeRegistrar.class)
public final class EventStoreAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	EventStoreSettings whizbangEventStoreSettings(EventStoreProperties properties) {
		return properties.toSettings();
	}

	@Bean
	@ConditionalOnMissingBean
	EventTypes whizbangEventTypes(ScannedEventTypes scanned, EventStoreProperties properties) {
		return new EventTypes(scanned.classes(), properties.toNames());
	}

	@Bean
	@ConditionalOnMissingBean
	EventCodec whizbangEventCodec(EventTypes types, ObjectProvider<Upcaster> upcasters, MessageCodec codec) {
		return new EventCodec(types, upcasters.orderedStream().toList(), codec);
	}

	@Bean
	@ConditionalOnMissingBean
	EventTopics whizbangEventTopics(EventStoreProperties properties) {
		return EventTopics.of(properties.publish());
	}

	@Bean
	@ConditionalOnMissingBean
	EventObservations whizbangEventObservations(ObjectProvider<ObservationRegistry> registry,
			ObjectProvider<AppendConvention> appendConvention) {
		return new EventObservations(registry.getIfUnique(() -> ObservationRegistry.NOOP),
				appendConvention.getIfAvailable());
	}

	@Bean
	@DependsOnDatabaseInitialization
	@ConditionalOnMissingBean(EventStore.class)
	JdbcEventStore whizbangEventStore(WhizbangDatabase database, EventCodec codec, EventStoreSettings settings,
			ObjectProvider<EventMetadataSource> sources, EventTopics topics, ObjectProvider<Outbox> outbox,
			EventObservations observations, ObjectProvider<EventSignal> signal) {
		return new JdbcEventStore(database.dataSource(), database.schema(), codec, settings,
				together(sources.orderedStream().toList()), publisher(topics, outbox.getIfAvailable()), observations,
				signal.getIfAvailable(() -> EventSignal.NONE));
	}

	private static EventMetadataSource together(List<EventMetadataSource> sources) {
		return () -> sources.stream()
			.map(EventMetadataSource::current)
			.reduce(EventMetadata.NONE, (some, more) -> more.and(some));
	}

	private static @Nullable EventPublisher publisher(EventTopics topics, @Nullable Outbox outbox) {
		if (topics == EventTopics.NONE) {
			return null;
		}
		if (outbox == null) {
			throw new DefinitionException("Events cannot be published without an outbox. "
					+ "Remove whizbang.events.publish, or switch on whizbang.outbox.enabled");
		}
		return new EventPublisher(outbox, topics);
	}

}
