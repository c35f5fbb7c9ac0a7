package io.whizbang.perspective;

import java.util.ArrayList;
import java.util.List;

import io.whizbang.event.StoredEvent;
import io.whizbang.message.StreamId;
import io.whizbang.perspective.ScannerFixture.Placed;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

import static io.whizbang.perspective.ScannerFixture.RUN;
import static io.whizbang.perspective.ScannerFixture.event;
import static io.whizbang.perspective.ScannerFixture.refuses;
import static io.whizbang.perspective.ScannerFixture.scan;
import static io.whizbang.perspective.ScannerFixture.scanAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What becomes of beans that are perspectives.
 */
class PerspectiveScannerTests {

	private static final List<String> calls = new ArrayList<>();

	@BeforeEach
	void forget() {
		calls.clear();
	}

	@Test
	void annotationSaysWhatThePerspectiveIs() {
		PerspectiveHandler handler = scan(Detailed.class);
		assertThat(handler.name()).isEqualTo("detailed-eu");
		assertThat(handler.version()).isEqualTo(3);
		assertThat(handler.global()).isFalse();
		assertThat(handler.shards()).isEqualTo(4);
		assertThat(handler.concurrency()).isEqualTo(2);
		PerspectiveHandler plain = scan(ByClass.class);
		assertThat(plain.version()).isEqualTo(1);
		assertThat(plain.shards()).isEqualTo(16);
		assertThat(plain.concurrency()).isEqualTo(1);
	}

	@Test
	void hooksAreCalledWithWhatTheyTake() {
		PerspectiveHandler handler = scan(Hooked.class);
		handler.prepare(new PerspectiveRun("hooked", 1, 2));
		handler.reset(RUN);
		handler.resetStream(StreamId.of("S"), RUN);
		handler.retire(RUN);
		assertThat(calls).containsExactly("prepare sales_r2", "reset", "reset S of run 1", "retire sales");
	}

	@Test
	void saysWhichHookIsMissing() {
		PerspectiveHandler handler = scan(ByClass.class);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> handler.reset(RUN))
			.withMessageContaining("@OnReset");
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> handler.resetStream(StreamId.of("S"), RUN))
			.withMessageContaining("@OnReset")
			.withMessageContaining("StreamId");
	}

	@Test
	void beansBehindProxiesAreCalledThroughThem() throws Exception {
		scanAll(AdvisingPostProcessor.class, Advised.class).get(0).apply(event(new Placed("a")), RUN);
		assertThat(calls).containsExactly("advice", "advised a");
	}

	@Test
	void handlersAreTakenAsTheyAre() {
		assertThat(scan(OwnHandler.class)).isInstanceOf(OwnHandler.class);
	}

	@Test
	void versionsOfAPerspectiveStandBesideEachOther() {
		assertThat(scanAll(ByClass.class, ByClassV2.class)).extracting(PerspectiveHandler::version)
			.containsExactlyInAnyOrder(1, 2);
	}

	@Test
	void refusesToBuildTwoRunsIntoTheSameTables() {
		refuses("Write a method with @OnPrepare", Unprepared.class);
		PerspectiveHandler handler = scan(ByClass.class);
		handler.prepare(RUN);
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> handler.prepare(new PerspectiveRun("orders", 1, 2)))
			.withMessageContaining("cannot be built beside")
			.withMessageContaining("@OnPrepare");
	}

	@Perspective(name = "detailed-${region}", version = 3, shards = 4, concurrency = 2)
	static class Detailed {

		@On
		void placed(Placed event) {
		}

		@OnPrepare
		void prepare() {
		}

	}

	@Perspective(name = "orders")
	static class ByClass {

		@On
		void placed(Placed event) {
		}

	}

	@Perspective(name = "orders", version = 2)
	static class ByClassV2 {

		@On
		void placed(Placed event) {
		}

		@OnPrepare
		void prepare() {
		}

	}

	@Perspective(name = "orders", version = 2)
	static class Unprepared {

		@On
		void placed(Placed event) {
		}

	}

	@Perspective(name = "hooked")
	static class Hooked {

		@On
		void placed(Placed event) {
		}

		@OnPrepare
		void prepare(PerspectiveRun run) {
			calls.add("prepare " + run.table("sales"));
		}

		@OnReset
		void reset() {
			calls.add("reset");
		}

		@OnReset
		void reset(PerspectiveRun run, StreamId stream) {
			calls.add("reset " + stream.key() + " of run " + run.run());
		}

		@OnRetire
		void retire(PerspectiveRun run) {
			calls.add("retire " + run.table("sales"));
		}

	}

	@Perspective(name = "orders")
	static class Advised {

		@On
		void placed(Placed event) {
			calls.add("advised " + event.order());
		}

	}

	static class AdvisingPostProcessor implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			if (!(bean instanceof Advised)) {
				return bean;
			}
			ProxyFactory factory = new ProxyFactory(bean);
			factory.setProxyTargetClass(true);
			factory.addAdvice((MethodInterceptor) (invocation) -> {
				calls.add("advice");
				return invocation.proceed();
			});
			return factory.getProxy();
		}

	}

	static class OwnHandler implements PerspectiveHandler {

		@Override
		public String name() {
			return "own";
		}

		@Override
		public Interest interest() {
			return Interest.everything();
		}

		@Override
		public void apply(StoredEvent event, PerspectiveRun run) {
		}

	}

}
