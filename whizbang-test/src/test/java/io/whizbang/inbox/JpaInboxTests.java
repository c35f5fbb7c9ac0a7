package io.whizbang.inbox;

import java.time.Duration;
import java.util.List;

import io.whizbang.test.ManualWorker;
import io.whizbang.test.ManualWorker.Ended;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.work.Outcome;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;

@PostgresTest
class JpaInboxTests {

	private final InboxFixture fixture;

	private final LocalContainerEntityManagerFactoryBean factoryBean = new LocalContainerEntityManagerFactoryBean();

	private final EntityManagerFactory factory;

	private final JpaTransactionManager transactions;

	private final ManualWorker worker;

	JpaInboxTests(PostgresDatabase database) {
		this.fixture = new InboxFixture(database);
		this.fixture.jdbc.execute("drop table if exists part; create table part (name text primary key)");
		this.factoryBean.setDataSource(this.fixture.dataSource);
		this.factoryBean.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
		this.factoryBean.setPackagesToScan(getClass().getPackageName());
		this.factoryBean.afterPropertiesSet();
		this.factory = this.factoryBean.getObject();
		this.transactions = new JpaTransactionManager(this.factory);
		this.transactions.afterPropertiesSet();
		this.worker = this.fixture.worker(this.transactions);
	}

	@AfterEach
	void close() {
		this.fixture.close();
		this.factoryBean.destroy();
		assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
	}

	private void persist(String name) {
		EntityManager entityManager = EntityManagerFactoryUtils.getTransactionalEntityManager(this.factory);
		assertThat(entityManager).isNotNull();
		entityManager.persist(new Part(name));
	}

	private List<String> parts() {
		return this.fixture.jdbc.queryForList("select name from part order by name", String.class);
	}

	private List<Outcome> run() {
		return this.worker.runUntilIdle().stream().map(Ended::outcome).toList();
	}

	@Test
	void entitiesEmittedMessagesAndCompletionCommitTogether() {
		this.fixture.receptor("a").then((name, envelope) -> {
			persist(name);
			this.fixture.outbox.enqueue("done." + name, 1);
		});
		this.fixture.receive("one", "two");
		assertThat(run()).containsExactly(Outcome.DONE, Outcome.DONE);
		assertThat(parts()).containsExactly("one", "two");
		assertThat(this.fixture.emitted()).containsExactlyInAnyOrder("done.one", "done.two");
		assertThat(this.fixture.waiting()).isEmpty();
	}

	@Test
	void flushThatFailsFailsItsOwnMessageOnly() {
		this.fixture.jdbc.update("insert into part values ('m2')");
		this.fixture.receptor("a").then((name, envelope) -> {
			persist(name);
			this.fixture.outbox.enqueue("done." + name, 1);
		});
		this.fixture.inbox.receiveAll(InboxFixture.messages(3));
		run();
		assertThat(parts()).containsExactly("m1", "m2", "m3");
		assertThat(this.fixture.emitted()).containsExactlyInAnyOrder("done.m1", "done.m3");
		assertThat(this.fixture.waiting()).containsExactly("m2");
		assertThat(this.fixture.things()).containsExactly("a:m1", "a:m3");
	}

	@Test
	void retryRunsOnlyTheReceptorsThatHaveNotSucceeded() {
		RecordingReceptor good = this.fixture.receptor("good").then((name, envelope) -> persist(name));
		RecordingReceptor bad = this.fixture.receptor("bad").failsFor("one");
		this.fixture.receive("one");
		assertThat(run()).singleElement().isInstanceOf(Outcome.Retry.class);
		assertThat(parts()).containsExactly("one");
		bad.then((name, envelope) -> {
		});
		this.fixture.clock.advance(Duration.ofSeconds(2));
		assertThat(run()).containsExactly(Outcome.DONE);
		assertThat(good.called()).hasSize(1);
		assertThat(this.fixture.recorded()).isEmpty();
	}

	@Test
	void transactionsOfTheApplicationAreChosenWhenTheyAreOfTheSameDatabase(PostgresDatabase database) {
		JdbcTransactionManager foreign = new JdbcTransactionManager(database.unpooledDataSource());
		assertThat(TransactionManagers.choose(this.fixture.dataSource, List.of(foreign, this.transactions)))
			.isSameAs(this.transactions);
		assertThat(TransactionManagers.choose(this.fixture.dataSource, List.of(foreign))).isInstanceOfSatisfying(
				JdbcTransactionManager.class,
				(own) -> assertThat(own.getDataSource()).isSameAs(this.fixture.dataSource));
	}

	@Entity(name = "Part")
	@Table(name = "part")
	static class Part {

		@Id
		private String name;

		protected Part() {
		}

		Part(String name) {
			this.name = name;
		}

		String getName() {
			return this.name;
		}

	}

}
