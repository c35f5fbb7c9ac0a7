package io.whizbang.lease;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MicrometerLeaseListenerTests {

	@Test
	void countsWhatBecomesOfLeasesByTheirLabel() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		MicrometerLeaseListener listener = new MicrometerLeaseListener(registry);
		listener.acquired("report");
		listener.acquired("report");
		listener.refused("report");
		listener.lost("report");
		listener.lost("other");
		listener.renewalFailed(new IllegalStateException());
		assertThat(registry.get("whizbang.lease.acquired").tag("lease", "report").counter().count()).isEqualTo(2);
		assertThat(registry.get("whizbang.lease.refused").tag("lease", "report").counter().count()).isOne();
		assertThat(registry.get("whizbang.lease.lost").tag("lease", "report").counter().count()).isOne();
		assertThat(registry.get("whizbang.lease.lost").tag("lease", "other").counter().count()).isOne();
		assertThat(registry.get("whizbang.lease.renewal.failures")
			.tag("exception", "IllegalStateException")
			.counter()
			.count()).isOne();
	}

}
