package io.whizbang.worker;

import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.transaction.CannotCreateTransactionException;

/**
 * The one place that knows which errors pass by themselves: the database is away, busy,
 * or just changed its mind.
 */
public final class TransientErrors {

	/** Connection lost or refused; the server is out of connections, memory or disk. */
	private static final Set<String> CLASSES = Set.of("08", "53");

	/**
	 * Serialization failure, deadlock, lock timeout, statement and transaction timeouts,
	 * shutdown and start-up of the server, and a server that is read-only after a
	 * failover.
	 */
	private static final Set<String> STATES = Set.of("40001", "40P01", "55P03", "57014", "25P03", "25P04", "57P01",
			"57P02", "57P03", "57P05", "25006");

	private static final String FEATURE_NOT_SUPPORTED = "0A000";

	private static final int MAX_CAUSES = 20;

	private TransientErrors() {
	}

	public static boolean isTransient(Throwable failure) {
		return Stream.<Throwable>iterate(failure, (cause) -> cause != null, Throwable::getCause)
			.limit(MAX_CAUSES)
			.anyMatch(TransientErrors::passes);
	}

	private static boolean passes(Throwable cause) {
		if (cause instanceof SQLException sql) {
			return cause instanceof SQLTransientException || cause instanceof SQLRecoverableException
					|| passes(sql.getSQLState()) || isStalePlan(sql);
		}
		return cause instanceof TransientDataAccessException || cause instanceof RecoverableDataAccessException
				|| cause instanceof CannotGetJdbcConnectionException
				|| cause instanceof CannotCreateTransactionException;
	}

	private static boolean passes(@Nullable String state) {
		return state != null
				&& (STATES.contains(state) || state.length() == 5 && CLASSES.contains(state.substring(0, 2)));
	}

	/**
	 * A function or table changed under a prepared statement; the driver prepares anew.
	 */
	private static boolean isStalePlan(SQLException failure) {
		if (!FEATURE_NOT_SUPPORTED.equals(failure.getSQLState())) {
			return false;
		}
		ServerErrorMessage server = (failure instanceof PSQLException psql) ? psql.getServerErrorMessage() : null;
		// The routine is the same in every language of the server's messages.
		if (server != null && "RevalidateCachedQuery".equals(server.getRoutine())) {
			return true;
		}
		String message = failure.getMessage();
		return message != null && message.contains("cached plan");
	}

}
