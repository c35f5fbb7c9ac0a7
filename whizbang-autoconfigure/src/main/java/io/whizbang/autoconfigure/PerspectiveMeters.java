package io.whizbang.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.whizbang.perspective.MicrometerPerspectiveListener;
import io.whizbang.perspective.PerspectiveGauges;
import io.whizbang.perspective.PerspectiveHandler;
import io.whizbang.perspective.PerspectiveHandlers;
import io.whizbang.perspective.Perspectives;

import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Shows every perspective in the meters, once all of them are known.
 */
final class PerspectiveMeters implements SmartInitializingSingleton {

	private final PerspectiveGauges gauges;

	private final PerspectiveHandlers handlers;

	private final MicrometerPerspectiveListener listener;

	private final MeterRegistry registry;

	PerspectiveMeters(Perspectives perspectives, PerspectiveHandlers handlers, MicrometerPerspectiveListener listener,
			MeterRegistry registry) {
		this.gauges = new PerspectiveGauges(perspectives::status);
		this.listener = listener;
		this.handlers = handlers;
		this.registry = registry;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.handlers.stream().map(PerspectiveHandler::name).distinct().forEach(this::show);
	}

	private void show(String name) {
		this.gauges.bind(name, this.registry);
		this.listener.expect(name);
	}

}
