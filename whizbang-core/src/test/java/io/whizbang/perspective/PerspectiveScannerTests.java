package io.whizbang.perspective;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.whizbang.event.EventMetadata;
import io.whizbang.event.EventType;
import io.whizbang.event.EventTypes;
import io.whizbang.event.StoredEvent;
import io.whizbang.message.MessageId;
import io.whizbang.message.StreamId;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PerspectiveScannerTests {

	private static final EventTypes TYPES = EventTypes.of(Placed.class, PlacedV2.class, Paid.class, Shipped.class,
			ParcelSent.class);

	private static final PerspectiveRun RUN = new PerspectiveRun("orders", 1, 1);

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
	void methodsGetEventsOfTheClassTheyTake() throws Exception {
		PerspectiveHandler handler = scan(ByClass.class);
		assertThat(wants(handler, "order-placed", Placed.class)).isTrue();
		assertThat(wants(handler, "order-placed-v2", PlacedV2.class)).isFalse();
		assertThat(wants(handler, "order-lost", null)).isFalse();
		handler.apply(event(new Placed("a")), RUN);
		assertThat(calls).containsExactly("placed a");
	}

	@Test
	void parametersMayComeInAnyOrder() throws Exception {
		StoredEvent event = event(new Placed("a"));
		scan(EveryParameter.class).apply(event, RUN);
		assertThat(calls).containsExactly("orders S a user " + event.id());
	}

	@Test
	void theNearestClassWins() throws Exception {
		PerspectiveHandler handler = scan(Layers.class);
		handler.apply(event(new Placed("a")), RUN);
		handler.apply(event(new Paid("a")), RUN);
		handler.apply(event(new ParcelSent("a")), RUN);
		assertThat(calls).containsExactly("placed", "order event order-paid", "anything parcel-sent");
		assertThat(wants(handler, "any", null)).isTrue();
	}

	@Test
	void storedNameWinsOverClassAndClassOverPattern() throws Exception {
		PerspectiveHandler handler = scan(Named.class);
		handler.apply(event(new Placed("a")), RUN);
		handler.apply(event(new Paid("a")), RUN);
		handler.apply(event(new Shipped("a")), RUN);
		handler.apply(event(new ParcelSent("a")), RUN);
		assertThat(calls).containsExactly("by name", "by class", "by long pattern", "by simple name");
		assertThat(wants(handler, "parcel-lost", null)).isFalse();
	}

	@Test
	void failuresArriveAsTheyWereThrown() {
		PerspectiveHandler handler = scan(Failing.class);
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> handler.apply(event(new Placed("a")), RUN))
			.withMessage("disk");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> handler.apply(event(new Paid("a")), RUN))
			.withMessage("wrong");
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
		scan(Advised.class).apply(event(new Placed("a")), RUN);
		assertThat(calls).containsExactly("advice", "advised a");
	}

	@Test
	void inheritedMethodsKnowTheirTypeArguments() throws Exception {
		PerspectiveHandler handler = scan(Inherited.class);
		assertThat(wants(handler, "order-paid", Paid.class)).isFalse();
		handler.apply(event(new Placed("a")), RUN);
		assertThat(calls).containsExactly("generic order-placed");
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
	void refusesTwoOfOneNameAndVersion() {
		refuses("two perspectives with the name \"orders\" and the version 1", ByClass.class, SameName.class);
	}

	@Test
	void refusesAPerspectiveWithoutMethods() {
		refuses("has no method with @On", Empty.class);
	}

	@Test
	void refusesMethodsOutsideOfPerspectives() {
		refuses("The @On " + Stray.class.getName() + ".placed is not in a perspective", Stray.class);
		refuses("The @OnReset " + StrayHook.class.getName() + ".reset is not in a perspective", StrayHook.class);
	}

	@Test
	void refusesABlankName() {
		refuses("The name \" \" of the @Perspective " + Nameless.class.getName() + " is blank", Nameless.class);
	}

	@Test
	void refusesABlankType() {
		refuses("The type \"\" of the @On", BlankType.class);
	}

	@Test
	void refusesMethodsThatCannotBeCalled() {
		refuses("must not be private", PrivateMethod.class);
		refuses("must not be static", StaticMethod.class);
		refuses("must return void", Returning.class);
	}

	@Test
	void refusesParametersThatItDoesNotKnow() {
		refuses("more than one parameter that could be the event", TwoEvents.class);
		refuses("it may take a PerspectiveRun, and a StreamId", WrongReset.class);
		refuses("it may take a PerspectiveRun only", WrongPrepare.class);
	}

	@Test
	void refusesMethodsThatSayNothingAboutTheirEvents() {
		refuses("says nothing about its events", Silent.class);
		refuses("takes an Object, which every event is", Greedy.class);
	}

	@Test
	void refusesClassesThatAreNoEvents() {
		refuses("there is no event type of that class", NoEvent.class);
	}

	@Test
	void refusesTwoMethodsThatAreEquallyGood() {
		refuses("could go to", Ambiguous.class);
		refuses("could go to", AmbiguousInterfaces.class);
		refuses("could go to", AmbiguousPatterns.class);
	}

	@Test
	void refusesTypesWhoseClassTheMethodDoesNotTake() {
		refuses("names the event type \"order-paid\", whose class", WrongClass.class);
	}

	@Test
	void refusesTwoHooksOfAKind() {
		refuses("have @OnReset, and one of them would be called", TwoResets.class);
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

	@Test
	void refusesNumbersBelowOne() {
		refuses("The version of the perspective \"zero\"", VersionZero.class);
		refuses("The number of shards of the perspective \"zero\"", ShardsZero.class);
		refuses("The concurrency of the perspective \"zero\"", ConcurrencyZero.class);
	}

	@Test
	void refusesConcurrencyThatHasNothingToWorkOn() {
		refuses("leave it out for a global perspective", ConcurrentGlobal.class);
		refuses("give it more shards", MoreThanShards.class);
	}

	@Test
	void refusesAHandlerThatIsAnnotatedAsWell() {
		refuses("is a PerspectiveHandler and has @Perspective", AnnotatedHandler.class);
	}

	private static void refuses(String message, Class<?>... beans) {
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> scanAll(beans))
			.withMessageContaining(message);
	}

	private static PerspectiveHandler scan(Class<?> bean) {
		return scanAll(bean).get(0);
	}

	private static List<PerspectiveHandler> scanAll(Class<?>... beans) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", Map.of("region", "eu")));
		context.registerBean(AdvisingPostProcessor.class);
		Arrays.stream(beans)
			.forEach((bean) -> context.registerBean(StringUtils.uncapitalize(bean.getSimpleName()), bean));
		PerspectiveHandlers handlers = new PerspectiveHandlers();
		context.registerBean(PerspectiveScanner.class,
				() -> new PerspectiveScanner(context.getDefaultListableBeanFactory(), TYPES, handlers));
		context.refresh();
		return handlers.all();
	}

	private static boolean wants(PerspectiveHandler handler, String eventType, @Nullable Class<?> type) {
		return handler.interest().in(eventType, type);
	}

	private static StoredEvent event(Object payload) {
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

	record NotAnEvent(String text) {
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
			calls.add("placed " + event.order());
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

	@Perspective(name = "orders")
	static class SameName {

		@On
		void placed(Placed event) {
		}

	}

	@Perspective(name = "orders")
	static class EveryParameter {

		@On
		void placed(PerspectiveRun run, StreamId stream, Placed event, EventMetadata metadata, StoredEvent stored) {
			calls.add(String.join(" ", run.name(), stream.key(), event.order(), metadata.user(), "" + stored.id()));
		}

	}

	@Perspective(name = "orders")
	static class Layers {

		@On
		void placed(Placed event) {
			calls.add("placed");
		}

		@On
		void any(OrderEvent event, StoredEvent stored) {
			calls.add("order event " + stored.type());
		}

		@On("*")
		void rest(StoredEvent stored) {
			calls.add("anything " + stored.type());
		}

	}

	@Perspective(name = "orders")
	static class Named {

		@On("order-placed")
		void name(StoredEvent event) {
			calls.add("by name");
		}

		@On
		void any(OrderEvent event) {
			calls.add("by class");
		}

		@On(types = "order-*")
		void pattern(StoredEvent event) {
			calls.add("by pattern");
		}

		@On(types = "order-s*")
		void longPattern(StoredEvent event) {
			calls.add("by long pattern");
		}

		@On(types = { "nothing", "ParcelSent" })
		void simple(Object event) {
			calls.add("by simple name");
		}

	}

	@Perspective(name = "orders")
	static class Failing {

		@On
		void placed(Placed event) throws IOException {
			throw new IOException("disk");
		}

		@On
		void paid(Paid event) {
			throw new AssertionError("wrong");
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

	abstract static class Generic<T> {

		@On
		void event(T event, StoredEvent stored) {
			calls.add("generic " + stored.type());
		}

	}

	@Perspective(name = "orders")
	static class Inherited extends Generic<Placed> {

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

	@Perspective(name = "own")
	static class AnnotatedHandler extends OwnHandler {

		@On
		void placed(Placed event) {
		}

	}

	@Perspective(name = "empty")
	static class Empty {

	}

	static class Stray {

		@On
		void placed(Placed event) {
		}

	}

	static class StrayHook {

		@OnReset
		void reset() {
		}

	}

	@Perspective(name = " ")
	static class Nameless {

		@On
		void placed(Placed event) {
		}

	}

	@Perspective(name = "orders")
	static class BlankType {

		@On("")
		void placed(Placed event) {
		}

	}

	@Perspective(name = "orders")
	static class PrivateMethod {

		@On
		private void placed(Placed event) {
		}

	}

	@Perspective(name = "orders")
	static class StaticMethod {

		@On
		static void placed(Placed event) {
		}

	}

	@Perspective(name = "orders")
	static class Returning {

		@On
		String placed(Placed event) {
			return event.order();
		}

	}

	@Perspective(name = "orders")
	static class TwoEvents {

		@On
		void placed(Placed event, Paid other) {
		}

	}

	@Perspective(name = "orders")
	static class WrongReset {

		@On
		void placed(Placed event) {
		}

		@OnReset
		void reset(String stream) {
		}

	}

	@Perspective(name = "orders")
	static class WrongPrepare {

		@On
		void placed(Placed event) {
		}

		@OnPrepare
		void prepare(StreamId stream) {
		}

	}

	@Perspective(name = "orders")
	static class Silent {

		@On
		void any(StoredEvent event) {
		}

	}

	@Perspective(name = "orders")
	static class Greedy {

		@On
		void any(Object event) {
		}

	}

	@Perspective(name = "orders")
	static class NoEvent {

		@On
		void any(NotAnEvent event) {
		}

	}

	@Perspective(name = "orders")
	static class Ambiguous {

		@On
		void one(Placed event) {
		}

		@On
		void other(Placed event, StoredEvent stored) {
		}

	}

	@Perspective(name = "orders")
	static class AmbiguousInterfaces {

		@On
		void order(OrderEvent event) {
		}

		@On
		void urgent(Urgent event) {
		}

	}

	@Perspective(name = "orders")
	static class AmbiguousPatterns {

		@On("order-*")
		void order(StoredEvent event) {
		}

		@On("*r-paid")
		void paid(StoredEvent event) {
		}

	}

	@Perspective(name = "orders")
	static class WrongClass {

		@On({ "order-placed", "order-paid" })
		void placed(Placed event) {
		}

	}

	@Perspective(name = "orders")
	static class TwoResets {

		@On
		void placed(Placed event) {
		}

		@OnReset
		void reset() {
		}

		@OnReset
		void resetToo(PerspectiveRun run) {
		}

	}

	@Perspective(name = "zero", version = 0)
	static class VersionZero {

		@On
		void placed(Placed event) {
		}

	}

	@Perspective(name = "zero", shards = 0)
	static class ShardsZero {

		@On
		void placed(Placed event) {
		}

	}

	@Perspective(name = "zero", concurrency = 0)
	static class ConcurrencyZero {

		@On
		void placed(Placed event) {
		}

	}

	@Perspective(name = "orders", global = true, concurrency = 2)
	static class ConcurrentGlobal {

		@On
		void placed(Placed event) {
		}

	}

	@Perspective(name = "orders", shards = 2, concurrency = 3)
	static class MoreThanShards {

		@On
		void placed(Placed event) {
		}

	}

}
