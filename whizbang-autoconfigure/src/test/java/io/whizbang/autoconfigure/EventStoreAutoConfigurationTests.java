package io.whizbang.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.whizbang.event.EventCodec;
import io.whizbang.event.EventMetadata;
import io.whizbang.event.EventMetadataSource;
import io.whizbang.event.EventStore;
import io.whizbang.event.EventStoreSettings;
import io.whizbang.event.EventTopics;
import io.whizbang.event.EventType;
import io.whizbang.event.EventTypeException;
import io.whizbang.event.EventTypeName;
import io.whizbang.event.EventTypes;
import io.whizbang.event.ExpectedVersion;
import io.whizbang.event.StoredEvent;
import io.whizbang.event.Upcaster;
import io.whizbang.message.JsonMessageCodec;
import io.whizbang.observation.EventObservations;
import io.whizbang.observation.ObservationNames;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

@PostgresTest
class EventStoreAutoConfigurationTests {

	private static final String MAPPED = "whizbang.events.types[parcel-sent].type=" + Sent.class.getName();

	private final PostgresDatabase database;

	private final ApplicationContextRunner runner;

	EventStoreAutoConfigurationTests(PostgresDatabase database) {
		this.database = database;
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, OutboxAutoConfiguration.class,
					EventStoreAutoConfiguration.class))
			.withBean(DataSource.class, database::unpooledDataSource)
			.withPropertyValues("whizbang.outbox.worker.enabled=false");
	}

	@Test
	void findsEventTypesInThePackagesOfTheApplication() {
		this.runner.withUserConfiguration(Application.class).run((context) -> {
			EventStore store = context.getBean(EventStore.class);
			store.append("scanned", ExpectedVersion.none(), new Opened("ada"));
			assertThat(store.read("scanned").map(StoredEvent::payload)).containsExactly(new Opened("ada"));
			assertThat(store.read("scanned").map(StoredEvent::type)).containsExactly("account-opened");
		});
	}

	@Test
	void saysWhatToDoWithAnEventTypeOutsideOfThem() {
		this.runner.run((context) -> assertThatExceptionOfType(EventTypeException.class)
			.isThrownBy(
					() -> context.getBean(EventStore.class).append("outside", ExpectedVersion.any(), new Opened("ada")))
			.withMessageContaining("@SpringBootApplication")
			.withMessageContaining("whizbang.events.types"));
	}

	@Test
	void takesNamesOfClassesFromTheConfiguration() {
		this.runner.withPropertyValues(MAPPED, "whizbang.events.types[parcel-sent].version=2").run((context) -> {
			EventStore store = context.getBean(EventStore.class);
			store.append("mapped", ExpectedVersion.none(), new Sent("A-1"));
			assertThat(store.read("mapped")).singleElement().satisfies((event) -> {
				assertThat(event.type()).isEqualTo("parcel-sent");
				assertThat(event.typeVersion()).isEqualTo(2);
				assertThat(event.payload()).isEqualTo(new Sent("A-1"));
			});
		});
	}

	@Test
	void refusesANameWithoutAClass() {
		this.runner.withPropertyValues("whizbang.events.types[parcel-sent].version=2")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("whizbang.events.types[parcel-sent].type must name a class"));
	}

	@Test
	void refusesAClassWithTwoNames() {
		this.runner.withPropertyValues(MAPPED, "whizbang.events.types[another].type=" + Sent.class.getName())
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("must be another class: " + Sent.class.getName()));
	}

	@Test
	void readsOldEventsThroughUpcasters() {
		this.runner.withPropertyValues(MAPPED)
			.run((context) -> context.getBean(EventStore.class).append("old", ExpectedVersion.none(), new Sent("A-1")));
		this.runner.withPropertyValues(MAPPED, "whizbang.events.types[parcel-sent].version=2")
			.withBean(Upcaster.class,
					() -> Upcaster.of("parcel-sent", 1, (payload) -> ((ObjectNode) payload).put("parcel", "new")))
			.run((context) -> assertThat(context.getBean(EventStore.class).read("old").map(StoredEvent::payload))
				.containsExactly(new Sent("new")));
	}

	@Test
	void asksTheApplicationForMetadata() {
		this.runner.withPropertyValues(MAPPED).withUserConfiguration(Sources.class).run((context) -> {
			EventStore store = context.getBean(EventStore.class);
			store.append("metadata", ExpectedVersion.none(), new Sent("A-1"));
			assertThat(store.read("metadata").map(StoredEvent::metadata))
				.containsExactly(EventMetadata.ofUser("ada").with("tenant", "acme"));
		});
	}

	@Test
	void publishesEventsAsTheConfigurationSays() {
		this.runner.withPropertyValues(MAPPED, "whizbang.events.publish[parcel-*]=parcels").run((context) -> {
			context.getBean(EventStore.class).append("published", ExpectedVersion.none(), new Sent("A-1"));
			assertThat(
					this.database.jdbc().queryForMap("select topic, stream_key, message_type from whizbang.wh_outbox"))
				.isEqualTo(Map.of("topic", "parcels", "stream_key", "published", "message_type", "parcel-sent"));
		});
	}

	@Test
	void doesNotPublishWithoutAnOutbox() {
		this.runner.withPropertyValues("whizbang.outbox.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(EventStore.class));
		this.runner.withPropertyValues("whizbang.outbox.enabled=false", "whizbang.events.publish[*]=all")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("whizbang.outbox.enabled"));
	}

	@Test
	void observesAppends() {
		ObservationRegistry registry = ObservationRegistry.create();
		List<Observation.Context> stopped = new ArrayList<>();
		registry.observationConfig().observationHandler(new ObservationHandler<>() {
			@Override
			public void onStop(Observation.Context context) {
				stopped.add(context);
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return true;
			}
		});
		this.runner.withPropertyValues(MAPPED).withBean(ObservationRegistry.class, () -> registry).run((context) -> {
			context.getBean(EventStore.class).append("observed", ExpectedVersion.none(), new Sent("A-1"));
			assertThat(stopped).singleElement().satisfies((append) -> {
				assertThat(append.getName()).isEqualTo(ObservationNames.APPEND);
				assertThat(append.getLowCardinalityKeyValues()).containsExactly(KeyValue.of("type", "parcel-sent"));
				assertThat(append.getHighCardinalityKeyValues())
					.containsExactlyInAnyOrder(KeyValue.of("stream", "observed"), KeyValue.of("count", "1"));
			});
		});
	}

	@Test
	void isNotThereWhenItIsSwitchedOff() {
		for (String property : List.of("whizbang.enabled=false", "whizbang.events.enabled=false")) {
			this.runner.withPropertyValues(property)
				.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(EventStore.class));
		}
	}

	@Test
	void backsOffForEveryBeanOfTheApplication() {
		EventTypes types = new EventTypes(List.of(), Map.of(Sent.class, new EventTypeName("mine", 1)));
		EventStore store = mock(EventStore.class);
		EventCodec codec = new EventCodec(types, List.of(), new JsonMessageCodec(JsonMapper.shared()));
		EventTopics topics = (type) -> null;
		EventStoreSettings settings = EventStoreSettings.defaults().withPageSize(7);
		this.runner.withBean(EventStore.class, () -> store)
			.withBean(EventTypes.class, () -> types)
			.withBean(EventCodec.class, () -> codec)
			.withBean(EventTopics.class, () -> topics)
			.withBean(EventStoreSettings.class, () -> settings)
			.withBean(EventObservations.class, () -> EventObservations.NONE)
			.run((context) -> {
				assertThat(context.getBean(EventStore.class)).isSameAs(store);
				assertThat(context.getBean(EventTypes.class)).isSameAs(types);
				assertThat(context.getBean(EventCodec.class)).isSameAs(codec);
				assertThat(context.getBean(EventTopics.class)).isSameAs(topics);
				assertThat(context.getBean(EventStoreSettings.class)).isSameAs(settings);
				assertThat(context.getBean(EventObservations.class)).isSameAs(EventObservations.NONE);
			});
	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigurationPackage
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class Sources {

		@Bean
		@Order(1)
		EventMetadataSource user() {
			return () -> EventMetadata.ofUser("ada");
		}

		@Bean
		@Order(2)
		EventMetadataSource tenant() {
			return () -> EventMetadata.ofUser("nobody").with("tenant", "acme");
		}

	}

	@EventType("account-opened")
	record Opened(String owner) {
	}

	record Sent(String parcel) {
	}

}
