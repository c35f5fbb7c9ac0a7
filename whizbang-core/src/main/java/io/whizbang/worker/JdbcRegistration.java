package io.whizbang.worker;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Writes down what the code of an application defines. Whoever holds one of it in an open
 * transaction, as somebody does who has changed it by hand and went for lunch, keeps
 * neither the application from starting nor the rest from being written: that one is
 * tried again. Used by one thread at a time.
 *
 * @param <D> what is defined
 */
public final class JdbcRegistration<D> {

	private static final Logger logger = LoggerFactory.getLogger(JdbcRegistration.class);

	/** For all together; instances that start at once wait for one another. */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private static final Duration LEAST_PATIENCE = Duration.ofMillis(10);

	private static final Duration PAUSE = Duration.ofSeconds(1);

	private static final String LOCK_NOT_AVAILABLE = "55P03";

	private static final int MAX_CAUSES = 20;

	private final Supplier<? extends Collection<D>> all;

	private final Function<D, String> name;

	private final Consumer<D> write;

	private final TransactionTemplate transaction;

	private final JdbcTemplate jdbc;

	private final Set<String> waiting = new HashSet<>();

	private volatile @Nullable List<D> left;

	private long triedAt;

	/**
	 * Creates a registration.
	 * @param dataSource the database
	 * @param all what is defined
	 * @param name what one of it is called, as in <em>The job "night"</em>
	 * @param write writes one of it, in the current transaction
	 */
	public JdbcRegistration(DataSource dataSource, Supplier<? extends Collection<D>> all, Function<D, String> name,
			Consumer<D> write) {
		this.all = all;
		this.name = name;
		this.write = write;
		this.jdbc = new JdbcTemplate(dataSource);
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
		this.transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.transaction.setName("whizbang-registration");
	}

	/** Has everything written again. */
	public void restart() {
		this.left = null;
		this.waiting.clear();
	}

	/**
	 * Writes what is left, unless that was tried a moment ago.
	 * @return whether anything was written, or this was the first time
	 */
	public boolean write() {
		List<D> before = this.left;
		long start = System.nanoTime();
		if (before != null && (before.isEmpty() || start - this.triedAt < PAUSE.toNanos())) {
			return false;
		}
		List<D> rest = (before != null) ? before : new ArrayList<>(this.all.get());
		int count = rest.size();
		this.left = rest;
		for (Iterator<D> each = rest.iterator(); each.hasNext();) {
			if (written(each.next(), PATIENCE.minusNanos(System.nanoTime() - start))) {
				each.remove();
			}
		}
		this.triedAt = System.nanoTime();
		return before == null || rest.size() < count;
	}

	private boolean written(D definition, Duration patience) {
		try {
			this.transaction.executeWithoutResult((status) -> {
				long millis = Math.max(LEAST_PATIENCE.toMillis(), patience.toMillis());
				this.jdbc.queryForObject("select set_config('lock_timeout', ?, true)", String.class, millis + "ms");
				this.write.accept(definition);
			});
		}
		catch (RuntimeException ex) {
			if (!isLocked(ex)) {
				throw ex;
			}
			if (this.waiting.add(this.name.apply(definition))) {
				logger.warn("{} cannot be defined as the code says: a transaction that is still open holds it."
						+ " The application goes on, and tries again", this.name.apply(definition));
			}
			return false;
		}
		if (this.waiting.remove(this.name.apply(definition))) {
			logger.info("{} is defined as the code says", this.name.apply(definition));
		}
		return true;
	}

	private static boolean isLocked(Throwable failure) {
		return Stream.<Throwable>iterate(failure, (cause) -> cause != null, Throwable::getCause)
			.limit(MAX_CAUSES)
			.anyMatch((cause) -> cause instanceof SQLException sql && LOCK_NOT_AVAILABLE.equals(sql.getSQLState()));
	}

	/**
	 * Shortens a pause when something is left.
	 * @param pause how long there is nothing else to do
	 * @return how long there is nothing to do at all
	 */
	public Duration pause(Duration pause) {
		List<D> rest = this.left;
		boolean idle = rest != null && rest.isEmpty();
		return (idle || pause.compareTo(PAUSE) < 0) ? pause : PAUSE;
	}

}
