package io.whizbang.coordinator;

import java.util.function.BiConsumer;

import jakarta.persistence.EntityManager;

import org.springframework.dao.support.DataAccessUtils;
import org.springframework.orm.jpa.EntityManagerFactoryInfo;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.orm.jpa.JpaDialect;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Writes the pending changes of JPA, where the application uses it.
 */
public final class EntityManagers {

	private static final boolean PRESENT = isPresent("org.springframework.orm.jpa.EntityManagerHolder")
			&& isPresent("jakarta.persistence.EntityManager");

	private EntityManagers() {
	}

	/**
	 * Flushes every entity manager of the current transaction, so that its row locks come
	 * before those of the messages, and its failures too.
	 */
	public static void flush() {
		if (PRESENT) {
			Jpa.flush();
		}
	}

	/**
	 * Makes the commit of every entity manager of the current transaction fail.
	 */
	static void setRollbackOnly() {
		if (PRESENT) {
			Jpa.setRollbackOnly();
		}
	}

	private static boolean isPresent(String className) {
		return ClassUtils.isPresent(className, EntityManagers.class.getClassLoader());
	}

	/**
	 * Loaded only where JPA is present.
	 */
	private static final class Jpa {

		static void flush() {
			forEach((factory, entityManager) -> {
				try {
					entityManager.flush();
				}
				catch (RuntimeException ex) {
					throw translate(factory, ex);
				}
			});
		}

		static void setRollbackOnly() {
			forEach((factory, entityManager) -> entityManager.getTransaction().setRollbackOnly());
		}

		private static void forEach(BiConsumer<Object, EntityManager> action) {
			TransactionSynchronizationManager.getResourceMap().forEach((factory, resource) -> {
				if (resource instanceof EntityManagerHolder holder && holder.isSynchronizedWithTransaction()) {
					EntityManager entityManager = holder.getEntityManager();
					if (entityManager.isOpen() && entityManager.isJoinedToTransaction()) {
						action.accept(factory, entityManager);
					}
				}
			});
		}

		/** The application must get what it would get from the flush at commit. */
		private static RuntimeException translate(Object factory, RuntimeException failure) {
			JpaDialect dialect = (factory instanceof EntityManagerFactoryInfo info) ? info.getJpaDialect() : null;
			return (dialect != null) ? DataAccessUtils.translateIfNecessary(failure, dialect) : failure;
		}

	}

}
