package io.whizbang.chaos;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/**
 * Tells failures that an attack explains from others.
 */
final class SqlStates {

	private SqlStates() {
	}

	static void judge(String who, Throwable failure, Findings findings) {
		String state = stateOf(failure);
		if ("40P01".equals(state)) {
			findings.add(Findings.Kind.DEADLOCK, who + ": " + failure);
		}
		else if (!isCutOff(state, failure)) {
			findings.add(Findings.Kind.SURPRISE, who + ": " + failure);
		}
	}

	private static boolean isCutOff(String state, Throwable failure) {
		return state.startsWith("08") || state.startsWith("57P") || failure instanceof SQLTransientConnectionException
				|| failure instanceof KilledException
				|| (failure.getCause() != null && isCutOff("", failure.getCause()));
	}

	private static String stateOf(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof SQLException sql && sql.getSQLState() != null) {
				return sql.getSQLState();
			}
		}
		return "";
	}

}
