package io.whizbang.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.whizbang.autoconfigure.health.WhizbangHealthAutoConfiguration;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.lease.CurrentLease;
import io.whizbang.lease.JdbcLeases;
import io.whizbang.lease.Lease;
import io.whizbang.lease.LeaseHolder;
import io.whizbang.lease.LeaseLifecycle;
import io.whizbang.lease.LeaseListener;
import io.whizbang.lease.LeaseLostException;
import io.whizbang.lease.LeaseOptions;
import io.whizbang.lease.LeaseSettings;
import io.whizbang.lease.Leased;
import io.whizbang.lease.LeasedPostProcessor;
import io.whizbang.lease.Leases;
import io.whizbang.schema.SchemaInstaller;
import io.whizbang.schema.SchemaSettings;
import io.whizbang.test.Await;
import io.whizbang.test.DatabaseClock;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.WithManualWorker;
import io.whizbang.worker.Announcement;
import io.whizbang.worker.Hearer;
import io.whizbang.worker.PostgresListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.TaskExecutor;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@PostgresTest
class LeaseAutoConfigurationTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final PostgresDatabase database;

	private final ApplicationContextRunner runner;

	private final JdbcLeases others;

	LeaseAutoConfigurationTests(PostgresDatabase database) {
		this.database = database;
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(WhizbangAutoConfiguration.class, LeaseAutoConfiguration.class,
					WhizbangMetricsAutoConfiguration.class))
			.withBean(DataSource.class, database::unpooledDataSource)
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withPropertyValues("spring.application.name=shop");
		new SchemaInstaller(database.unpooledDataSource(), SchemaSettings.defaults()).install();
		this.others = new JdbcLeases(database.dataSource(), "whizbang",
				new InstanceInfo("others", "elsewhere", 1, Map.of()), LeaseSettings.defaults(), LeaseListener.NONE,
				null);
	}

	@AfterEach
	void release() {
		this.others.releaseAll();
	}

	@Test
	void leasesAreThereAndReleasedWhenTheApplicationStops() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(LeaseLifecycle.class);
			Leases leases = context.getBean(Leases.class);
			assertThat(leases.tryAcquire("a", MINUTE)).isPresent();
			assertThat(this.others.find("a")).hasValueSatisfying(
					(holder) -> assertThat(holder.holder()).startsWith("shop@").endsWith(":" + processId()));
		});
		assertThat(this.others.list()).isEmpty();
	}

	private static long processId() {
		return ProcessHandle.current().pid();
	}

	@Test
	void areAbsentWhenSwitchedOff() {
		for (String property : List.of("whizbang.leases.enabled=false", "whizbang.enabled=false")) {
			this.runner.withPropertyValues(property)
				.run((context) -> assertThat(context).hasNotFailed()
					.doesNotHaveBean(Leases.class)
					.doesNotHaveBean(LeasedPostProcessor.class));
		}
	}

	@Test
	void settingsComeFromProperties() {
		this.runner
			.withPropertyValues("whizbang.leases.duration=1m", "whizbang.leases.renew-at=0.5",
					"whizbang.leases.renew-jitter=0", "whizbang.leases.max-pause=2s")
			.run((context) -> assertThat(context.getBean(LeaseSettings.class))
				.isEqualTo(new LeaseSettings(MINUTE, 0.5, 0, Duration.ofSeconds(2))));
	}

	@Test
	void aLeasedMethodRunsOnOneInstanceAtATime() {
		this.runner.withBean(Reports.class).withPropertyValues("region=north").run((context) -> {
			Reports reports = context.getBean(Reports.class);
			assertThat(reports.daily()).isEqualTo("daily-north held by this");
			assertThat(this.others.find("daily-north")).isEmpty();
			try (Lease lease = this.others.tryAcquire("daily-north", MINUTE).orElseThrow()) {
				assertThat(reports.daily()).isNull();
			}
			assertThat(reports.daily()).isNotNull();
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			assertThat(meters.get("whizbang.lease.acquired").tag("lease", "daily-north").counter().count())
				.isEqualTo(2);
			assertThat(meters.get("whizbang.lease.refused").tag("lease", "daily-north").counter().count()).isOne();
			context.getBeansOfType(MeterBinder.class).values().forEach((binder) -> binder.bindTo(meters));
			assertThat(meters.get("whizbang.lease.held").gauge().value()).isZero();
		});
	}

	@Test
	void theNameMayDependOnArguments() {
		this.runner.withBean(Reports.class).withPropertyValues("region=north").run((context) -> {
			Reports reports = context.getBean(Reports.class);
			try (Lease lease = this.others.tryAcquire("report-b-3", MINUTE).orElseThrow()) {
				assertThat(reports.of("b", 3)).isEmpty();
				assertThat(reports.of("b", 4)).hasValue("report-b-4");
			}
			assertThat(context.getBean(MeterRegistry.class)
				.get("whizbang.lease.acquired")
				.tag("lease", "report-#{#kind}-#{#p1}")
				.counter()
				.count()).isOne();
		});
	}

	@Test
	void aLeaseIsReleasedWhenItsMethodFails() {
		this.runner.withBean(Reports.class).withPropertyValues("region=north").run((context) -> {
			assertThatIllegalStateException().isThrownBy(() -> context.getBean(Reports.class).fail())
				.withMessage("failed");
			assertThat(this.others.find("failing")).isEmpty();
		});
	}

	@Test
	void aLeaseThatIsToLastLongerKeepsOthersAwayAfterAShortRun() {
		this.runner.withBean(Reports.class).withPropertyValues("region=north").run((context) -> {
			Reports reports = context.getBean(Reports.class);
			reports.quick();
			reports.quick();
			assertThat(reports.quickRuns()).isOne();
			LeaseHolder holder = this.others.find("quick").orElseThrow();
			assertThat(Duration.between(holder.acquiredAt(), holder.expiresAt())).isEqualTo(Duration.ofSeconds(30));
		});
		this.database.jdbc().execute("delete from whizbang.wh_leases");
	}

	@Test
	void theMethodIsInterruptedWhenItsLeaseIsLost() {
		this.runner.withBean(Reports.class).withPropertyValues("region=north").run((context) -> {
			Reports reports = context.getBean(Reports.class);
			assertThatExceptionOfType(LeaseLostException.class).isThrownBy(reports::endless)
				.withMessageContaining("\"endless\"");
			assertThat(reports.wasInterrupted()).isTrue();
			assertThat(Thread.currentThread().isInterrupted()).as("interrupted afterwards").isFalse();
			assertThat(context.getBean(MeterRegistry.class)
				.get("whizbang.lease.lost")
				.tag("lease", "endless")
				.counter()
				.count()).isOne();
		});
	}

	@Test
	void theLeaseIsAroundTheTransaction() {
		this.runner.withUserConfiguration(Transactions.class).withBean(Booking.class).run((context) -> {
			Booking booking = context.getBean(Booking.class);
			assertThat(AopUtils.isCglibProxy(booking)).isTrue();
			booking.book(this.others);
			assertThat(booking.seen()).containsExactly("in transaction", "held after commit");
			assertThat(this.others.find("booking")).isEmpty();
		});
	}

	@Test
	void aReleaseInOneApplicationWakesWhoWaitsInAnother() {
		Set<String> heard = new ConcurrentSkipListSet<>();
		ApplicationContextRunner listening = this.runner.withPropertyValues("whizbang.leases.max-pause=1h");
		listening.run((one) -> listening.run((other) -> {
			one.getBean(PostgresListener.class).wakes(new Ear(heard));
			for (ApplicationContext context : List.of(one, other)) {
				Await.until("it to listen", () -> context.getBean(PostgresListener.class).healthy());
			}
			AtomicInteger rounds = new AtomicInteger();
			// Whoever is quicker than the news that somebody waits announces nothing.
			Await.until("a release that is announced", () -> {
				String name = "waited-for-" + rounds.incrementAndGet();
				heard.clear();
				Lease lease = one.getBean(Leases.class).tryAcquire(name, MINUTE).orElseThrow();
				CompletableFuture<Optional<Lease>> waiting = CompletableFuture
					.supplyAsync(() -> other.getBean(Leases.class).acquire(name, MINUTE, MINUTE));
				Await.until("the news that somebody waits", () -> isHeard(heard, "lease-wanted:"));
				lease.close();
				assertThat(waiting).succeedsWithin(Await.PATIENCE).satisfies((next) -> {
					assertThat(next).isPresent();
					next.orElseThrow().close();
				});
				return isHeard(heard, "lease-free:");
			});
		}));
	}

	private static boolean isHeard(Set<String> heard, String what) {
		return heard.stream().anyMatch((news) -> news.startsWith(what));
	}

	@Test
	void aLeaseComesIntoTheThreadOfAnAsynchronousMethod() {
		this.runner.withUserConfiguration(Asynchronous.class).withBean(Mailing.class).run((context) -> {
			Mailing mailing = context.getBean(Mailing.class);
			mailing.send(this.others);
			assertThat(mailing.sent()).succeedsWithin(Await.PATIENCE)
				.isEqualTo("held by this in " + Asynchronous.THREAD);
			Await.until("the release", () -> this.others.find("mailing").isEmpty());
		});
	}

	@Test
	void leasesGoByTheClockOfTheTest() {
		this.runner.withConfiguration(AutoConfigurations.of(OutboxAutoConfiguration.class))
			.withUserConfiguration(ByHand.class)
			.run((context) -> {
				Leases leases = context.getBean(Leases.class);
				Lease lease = leases.tryAcquire("a", LeaseOptions.lasting(MINUTE).withoutRenewal()).orElseThrow();
				context.getBean(DatabaseClock.class).advance(MINUTE.minusSeconds(10));
				assertThat(leases.tryAcquire("a", MINUTE)).isEmpty();
				context.getBean(DatabaseClock.class).advance(Duration.ofSeconds(10));
				assertThat(leases.find("a")).isEmpty();
				assertThat(leases.tryAcquire("a", MINUTE).orElseThrow().token()).isGreaterThan(lease.token());
			});
	}

	@Test
	void interfacesAreProxiedWhereTheApplicationWantsIt() {
		this.runner.withUserConfiguration(Transactions.class)
			.withBean("ledger", BookLedger.class)
			.withPropertyValues("spring.aop.proxy-target-class=false")
			.run((context) -> {
				Ledger ledger = context.getBean(Ledger.class);
				assertThat(AopUtils.isJdkDynamicProxy(ledger)).isTrue();
				assertThat(ledger.close()).isEqualTo("ledger");
				try (Lease lease = this.others.tryAcquire("ledger", MINUTE).orElseThrow()) {
					assertThat(ledger.close()).isNull();
				}
			});
	}

	@Test
	void scheduledMethodsAreLeasedToo() {
		try (Lease lease = this.others.tryAcquire("cleanup", MINUTE).orElseThrow()) {
			this.runner.withUserConfiguration(Schedules.class).withBean(Cleanup.class).run((context) -> {
				MeterRegistry meters = context.getBean(MeterRegistry.class);
				Await.until("some refusals",
						() -> meters.find("whizbang.lease.refused")
							.counters()
							.stream()
							.anyMatch((c) -> c.count() >= 3));
				Cleanup cleanup = context.getBean(Cleanup.class);
				assertThat(cleanup.runs()).isZero();
				lease.close();
				Await.until("a run", () -> cleanup.runs() > 0);
			});
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { PrivateMethod.class, FinalMethod.class, StaticMethod.class, PrimitiveMethod.class,
			FutureMethod.class, LongMethod.class, BlankMethod.class, WrongExpression.class, WrongDuration.class })
	void methodsThatCannotBeLeasedAreRefusedAtStart(Class<?> type) {
		this.runner.withBean(type)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.satisfies((failure) -> assertThat(stackOf(context.getStartupFailure())).contains("@Leased method")
					.contains(type.getSimpleName() + ".run()")));
	}

	private static String stackOf(@Nullable Throwable failure) {
		StringBuilder text = new StringBuilder();
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			text.append(cause.getMessage()).append('\n');
		}
		return text.toString();
	}

	@Test
	void healthTellsHowManyLeasesAreHeld() {
		this.runner.withConfiguration(AutoConfigurations.of(WhizbangHealthAutoConfiguration.class)).run((context) -> {
			assertThat(context.getBean(Leases.class).tryAcquire("a", MINUTE)).isPresent();
			Health health = ((HealthIndicator) context.getBean(CompositeHealthContributor.class)
				.getContributor("leases")).health();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("held", 1).containsEntry("failedRenewals", 0);
		});
	}

	static class Reports {

		private final AtomicInteger quick = new AtomicInteger();

		private final CountDownLatch interrupted = new CountDownLatch(1);

		private final Leases leases;

		private final DataSource dataSource;

		Reports(Leases leases, DataSource dataSource) {
			this.leases = leases;
			this.dataSource = dataSource;
		}

		int quickRuns() {
			return this.quick.get();
		}

		boolean wasInterrupted() {
			return this.interrupted.getCount() == 0;
		}

		@Leased("daily-${region}")
		public @Nullable String daily() {
			Lease lease = CurrentLease.get();
			assertThat(lease).isNotNull();
			boolean held = this.leases.find(lease.name())
				.filter((holder) -> holder.token() == lease.token())
				.isPresent();
			return lease.name() + (held ? " held by this" : " not held");
		}

		@Leased("report-#{#kind}-#{#p1}")
		Optional<String> of(String kind, int number) {
			return Optional.ofNullable(CurrentLease.get()).map(Lease::name);
		}

		@Leased("failing")
		void fail() {
			throw new IllegalStateException("failed");
		}

		@Leased(value = "quick", atMost = "1m", atLeast = "PT30S")
		void quick() {
			this.quick.incrementAndGet();
		}

		@Leased(value = "endless", atMost = "1s")
		void endless() {
			new JdbcTemplate(this.dataSource).update("delete from whizbang.wh_leases where name = 'endless'");
			try {
				TimeUnit.MINUTES.sleep(1);
			}
			catch (InterruptedException ex) {
				this.interrupted.countDown();
			}
		}

	}

	static class Booking {

		private final List<String> seen = new CopyOnWriteArrayList<>();

		List<String> seen() {
			return this.seen;
		}

		@Leased("booking")
		@Transactional
		public void book(Leases others) {
			if (TransactionSynchronizationManager.isActualTransactionActive()) {
				this.seen.add("in transaction");
			}
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void afterCompletion(int status) {
					Booking.this.seen.add(others.find("booking").isPresent() ? "held after commit" : "free");
				}
			});
		}

	}

	/** Notes what is announced. */
	private record Ear(Set<String> heard) implements Hearer {

		@Override
		public void announced(Announcement announcement) {
			this.heard.add(announcement.queue());
		}

		@Override
		public void listening(@Nullable Integer backendPid) {
		}

	}

	static class Mailing {

		private final CompletableFuture<String> sent = new CompletableFuture<>();

		CompletableFuture<String> sent() {
			return this.sent;
		}

		@Async
		@Leased("mailing")
		public void send(Leases others) {
			Lease lease = CurrentLease.get();
			boolean held = lease != null
					&& others.find("mailing").filter((holder) -> holder.token() == lease.token()).isPresent();
			this.sent.complete((held ? "held by this in " : "not held in ") + Thread.currentThread().getName());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class Asynchronous {

		static final String THREAD = "another thread";

		@Bean
		TaskExecutor taskExecutor() {
			return (task) -> new Thread(task, THREAD).start();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@WithManualWorker
	static class ByHand {

	}

	interface Ledger {

		@Nullable String close();

	}

	static class BookLedger implements Ledger {

		@Override
		@Leased("ledger")
		@Transactional
		public @Nullable String close() {
			Lease lease = CurrentLease.get();
			return (lease != null) ? lease.name() : "no lease";
		}

	}

	static class Cleanup {

		private final AtomicInteger runs = new AtomicInteger();

		int runs() {
			return this.runs.get();
		}

		@Scheduled(fixedDelay = 10)
		@Leased("cleanup")
		public void run() {
			this.runs.incrementAndGet();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Transactions {

		@Bean
		PlatformTransactionManager transactionManager(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Schedules {

	}

	@SuppressWarnings("UnusedMethod")
	static class PrivateMethod {

		@Leased("a")
		private void run() {
		}

	}

	static class FinalMethod {

		@Leased("a")
		public final void run() {
		}

	}

	static class StaticMethod {

		@Leased("a")
		public static void run() {
		}

	}

	static class PrimitiveMethod {

		@Leased("a")
		public int run() {
			return 1;
		}

	}

	static class FutureMethod {

		@Leased("a")
		public CompletableFuture<String> run() {
			return new CompletableFuture<>();
		}

	}

	static class LongMethod {

		@Leased(value = "a", atMost = "2d")
		public void run() {
		}

	}

	static class BlankMethod {

		@Leased("${nothing:}")
		public void run() {
		}

	}

	static class WrongExpression {

		@Leased("a-#{#}")
		public void run() {
		}

	}

	static class WrongDuration {

		@Leased(value = "a", atLeast = "soon")
		public void run() {
		}

	}

}
