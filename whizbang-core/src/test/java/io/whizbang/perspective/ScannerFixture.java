package io.whizbang.perspective;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.whizbang.event.EventMetadata;
import io.whizbang.event.EventType;
import io.whizbang.event.EventTypes;
import io.whizbang.event.StoredEvent;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Events of a shop, and beans that are scanned for perspectives of them.
 */
final class ScannerFixture {

	static final EventTypes TYPES = EventTypes.of(Placed.class, PlacedV2.class, Paid.class, Shipped.class,
			ParcelSent.class);

	static final PerspectiveRun RUN = new PerspectiveRun("orders", 1, 1);

	private ScannerFixture() {
	}

	static void refuses(String message, Class<?>... beans) {
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> scanAll(beans))
			.withMessageContaining(message);
	}

	static PerspectiveHandler scan(Class<?> bean) {
		return scanAll(bean).get(0);
	}

	static List<PerspectiveHandler> scanAll(Class<?>... beans) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", Map.of("region", "eu")));
		Arrays.stream(beans)
			.forEach((bean) -> context.registerBean(StringUtils.uncapitalize(bean.getSimpleName()), bean));
		PerspectiveHandlers handlers = new PerspectiveHandlers();
		context.registerBean(PerspectiveScanner.class,
				() -> new PerspectiveScanner(context.getDefaultListableBeanFactory(), TYPES, handlers));
		context.refresh();
		return handlers.all();
	}

	static boolean wants(PerspectiveHandler handler, String eventType, @Nullable Class<?> type) {
		return handler.interest().in(eventType, type);
	}

	static StoredEvent event(Object payload) {
		return new StoredEvent(7, StreamId.of("S"), 1, MessageId.next(), TYPES.nameOf(payload.getClass()).name(), 1,
				payload, EventMetadata.ofUser("user"), Instant.EPOCH);
	}

	interface OrderEvent {

	}

	interface Urgent {

	}

	@EventType("order-placed")
	record Placed(String order) implements OrderEvent, Urgent {
	}

	@EventType("order-placed-v2")
	record PlacedV2(String order) {
	}

	@EventType("order-paid")
	record Paid(String order) implements OrderEvent {
	}

	@EventType("order-shipped")
	record Shipped(String order) {
	}

	@EventType("parcel-sent")
	record ParcelSent(String order) {
	}

}
