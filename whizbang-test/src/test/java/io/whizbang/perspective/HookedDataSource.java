package io.whizbang.perspective;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * Lets a test do something just before or behind a statement, or just behind a commit.
 */
final class HookedDataSource extends DelegatingDataSource {

	private Hook beforeStatement = (sql) -> {
	};

	private Hook afterStatement = (sql) -> {
	};

	private Commit afterCommit = (connection) -> {
	};

	HookedDataSource(DataSource target) {
		super(target);
	}

	HookedDataSource beforeStatement(Hook hook) {
		this.beforeStatement = hook;
		return this;
	}

	/** The database has done it, whoever hears of that. */
	HookedDataSource afterStatement(Hook hook) {
		this.afterStatement = hook;
		return this;
	}

	HookedDataSource afterCommit(Commit hook) {
		this.afterCommit = hook;
		return this;
	}

	/** Has everything of an instance go through this, its models too. */
	PerspectiveParts under(PerspectiveParts parts) {
		parts.handlers().stream().forEach((handler) -> {
			if (handler instanceof RecordingPerspective recording) {
				recording.use(this);
			}
		});
		return new PerspectiveParts(this, parts.schema(), new JdbcTransactionManager(this), parts.codec(),
				parts.types(), parts.handlers(), parts.settings(), parts.completion(), () -> true, parts.listener(),
				parts.observations());
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection target = super.getConnection();
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> {
					if (method.getName().equals("prepareStatement")) {
						this.beforeStatement.run((String) arguments[0]);
					}
					try {
						Object answer = method.invoke(target, arguments);
						if (method.getName().equals("commit")) {
							this.afterCommit.done(target);
						}
						return (answer instanceof PreparedStatement statement)
								? hooked(statement, (String) arguments[0]) : answer;
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
	}

	private PreparedStatement hooked(PreparedStatement target, String sql) {
		return (PreparedStatement) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { PreparedStatement.class }, (proxy, method, arguments) -> {
					try {
						Object answer = method.invoke(target, arguments);
						if (method.getName().startsWith("execute")) {
							this.afterStatement.run(sql);
						}
						return answer;
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
	}

	/** Happens beside a statement. */
	interface Hook {

		void run(String sql) throws Exception;

	}

	/** Happens behind a commit that has succeeded. */
	interface Commit {

		void done(Connection connection) throws SQLException;

	}

}
