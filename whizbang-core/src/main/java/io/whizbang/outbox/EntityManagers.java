package io.whizbang.outbox;

import jakarta.persistence.EntityManager;

import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Writes the pending changes of JPA, where the application uses it.
 */
final class EntityManagers {

	private static final boolean PRESENT = isPresent("org.springframework.orm.jpa.EntityManagerHolder")
			&& isPresent("jakarta.persistence.EntityManager");

	private EntityManagers() {
	}

	/**
	 * Flushes every entity manager of the current transaction, so that its row locks come
	 * before those of the messages, and its failures too.
	 */
	static void flush() {
		if (PRESENT) {
			Jpa.flush();
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
			for (Object resource : TransactionSynchronizationManager.getResourceMap().values()) {
				if (resource instanceof EntityManagerHolder holder && holder.isSynchronizedWithTransaction()) {
					flush(holder.getEntityManager());
				}
			}
		}

		private static void flush(EntityManager entityManager) {
			if (entityManager.isOpen() && entityManager.isJoinedToTransaction()) {
				entityManager.flush();
			}
		}

	}

}
