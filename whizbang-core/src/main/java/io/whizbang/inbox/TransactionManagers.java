package io.whizbang.inbox;

import java.util.Collection;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.EntityManagerFactoryInfo;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.util.ClassUtils;

/**
 * Chooses the transactions that receptors run in: those of the application, so that its
 * repositories take part, if they are of the database that has the messages.
 */
public final class TransactionManagers {

	private static final boolean JPA = ClassUtils.isPresent("org.springframework.orm.jpa.EntityManagerFactoryInfo",
			TransactionManagers.class.getClassLoader());

	private TransactionManagers() {
	}

	/**
	 * Chooses.
	 * @param dataSource the database that has the messages
	 * @param candidates the application's transaction managers, the preferred one first
	 * @return the first that manages the database, or a new one
	 */
	public static PlatformTransactionManager choose(DataSource dataSource,
			Collection<? extends PlatformTransactionManager> candidates) {
		DataSource target = target(dataSource);
		for (PlatformTransactionManager candidate : candidates) {
			if (target.equals(managed(candidate))) {
				return candidate;
			}
		}
		return new JdbcTransactionManager(target);
	}

	private static @Nullable DataSource managed(PlatformTransactionManager candidate) {
		DataSource managed = null;
		if (candidate instanceof DataSourceTransactionManager jdbc) {
			managed = jdbc.getDataSource();
		}
		else if (JPA && candidate instanceof ResourceTransactionManager other) {
			managed = Jpa.managed(other);
		}
		return (managed != null) ? target(managed) : null;
	}

	private static DataSource target(DataSource dataSource) {
		DataSource target = dataSource;
		while (target instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
			target = proxy.getTargetDataSource();
		}
		return target;
	}

	/** Loaded only where JPA is present. */
	private static final class Jpa {

		static @Nullable DataSource managed(ResourceTransactionManager candidate) {
			return (candidate.getResourceFactory() instanceof EntityManagerFactoryInfo factory)
					? factory.getDataSource() : null;
		}

	}

}
