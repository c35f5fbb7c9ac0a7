package io.whizbang.perspective;

import java.lang.reflect.Method;
import java.util.function.Supplier;

import io.whizbang.event.StoredEvent;
import io.whizbang.message.StreamId;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.criteria.CriteriaDelete;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.Assert;
import org.springframework.util.ReflectionUtils;

/**
 * A model that consists of entities. Loaded only where JPA is present.
 *
 * @param <E> the entity
 * @param <I> its id
 */
final class EntityModel<E, I> {

	private final Class<E> type;

	private final boolean onePerStream;

	private final Supplier<EntityPerspective<E, I>> perspective;

	private volatile @Nullable EntityManagerFactory factory;

	private EntityModel(Class<E> type, boolean onePerStream, Supplier<EntityPerspective<E, I>> perspective) {
		this.type = type;
		this.onePerStream = onePerStream;
		this.perspective = perspective;
	}

	// What the class says about itself cannot be told by its type here.
	@SuppressWarnings("unchecked")
	static EntityModel<?, ?> of(Class<?> perspective, Supplier<EntityPerspective<?, ?>> bean) {
		Class<?> type = ResolvableType.forClass(perspective).as(EntityPerspective.class).getGeneric(0).resolve();
		Assert.state(type != null,
				() -> "The entity of the perspective %s cannot be told; name it as in EntityPerspective<Order, UUID>"
					.formatted(perspective.getName()));
		boolean ofEvent = overrides(perspective, StoredEvent.class);
		Assert.state(ofEvent || overrides(perspective, StreamId.class) || EntityIds.canBeMadeFor(perspective),
				() -> "The perspective %s must implement idOf(StoredEvent) or idOf(StreamId): only for ids that are a String "
					.formatted(perspective.getName()) + "or a UUID the stream says which");
		return new EntityModel<>((Class<Object>) type, !ofEvent, () -> (EntityPerspective<Object, Object>) bean.get());
	}

	private static boolean overrides(Class<?> perspective, Class<?> parameter) {
		Method method = ReflectionUtils.findMethod(perspective, "idOf", parameter);
		return method != null && method.getDeclaringClass() != EntityPerspective.class;
	}

	Class<E> type() {
		return this.type;
	}

	/** Whether the stream says which entity. */
	boolean isOnePerStream() {
		return this.onePerStream;
	}

	void apply(OnMethod method, StoredEvent event, PerspectiveRun run) throws Exception {
		EntityManager entityManager = entityManager();
		I id = this.perspective.get().idOf(event);
		E found = method.takesEntity() ? find(entityManager, id) : null;
		if (method.returnsEntity()) {
			E kept = this.type.cast(method.invoke(event, run, found));
			keep(entityManager, id, found, kept, method);
		}
		else if (!method.takesEntity()) {
			method.invoke(event, run, null);
		}
		else if (found != null) {
			method.invoke(event, run, found);
		}
		else {
			E created = create(id, method, event);
			method.invoke(event, run, created);
			insert(entityManager, id, created, method);
		}
	}

	private @Nullable E find(EntityManager entityManager, I id) {
		return entityManager.find(this.type, id);
	}

	private E create(I id, OnMethod method, StoredEvent event) {
		E created = this.perspective.get().create(id);
		Assert.state(created != null,
				() -> ("There is no %s with the id %s, which %s needs for the event \"%s\" of the stream "
						+ "\"%s\". Let a method return the entity for the event that comes first, or implement create(id)")
					.formatted(this.type.getSimpleName(), id, method, event.type(), event.stream().key()));
		return created;
	}

	private void keep(EntityManager entityManager, I id, @Nullable E found, @Nullable E kept, OnMethod method) {
		if (kept == null) {
			E there = method.takesEntity() ? found : find(entityManager, id);
			if (there != null) {
				entityManager.remove(there);
				// Else a later insert of the same id would come before the delete.
				entityManager.flush();
			}
		}
		else if (found == null) {
			insert(entityManager, id, kept, method);
		}
		else if (kept != found) {
			checkId(entityManager, id, kept, method);
			entityManager.merge(kept);
		}
	}

	private void insert(EntityManager entityManager, I id, E entity, OnMethod method) {
		checkId(entityManager, id, entity, method);
		entityManager.persist(entity);
	}

	/** Under another id it would never be found again. */
	private void checkId(EntityManager entityManager, I id, E entity, OnMethod method) {
		Object actual = entityManager.getEntityManagerFactory().getPersistenceUnitUtil().getIdentifier(entity);
		Assert.state(id.equals(actual),
				() -> ("The %s of %s has the id %s, but the event says %s. Create it with that id, or "
						+ "implement idOf(StoredEvent) so that it says the same")
					.formatted(this.type.getSimpleName(), method, actual, id));
	}

	void deleteAll() {
		EntityManager entityManager = entityManager();
		CriteriaDelete<E> delete = entityManager.getCriteriaBuilder().createCriteriaDelete(this.type);
		delete.from(this.type);
		entityManager.createQuery(delete).executeUpdate();
	}

	void delete(StreamId stream) {
		EntityManager entityManager = entityManager();
		E there = find(entityManager, this.perspective.get().idOf(stream));
		if (there != null) {
			entityManager.remove(there);
		}
	}

	/**
	 * That of the current transaction, so that the entity commits with the checkpoint.
	 */
	private EntityManager entityManager() {
		for (Object resource : TransactionSynchronizationManager.getResourceMap().values()) {
			if (resource instanceof EntityManagerHolder holder && holder.isSynchronizedWithTransaction()) {
				EntityManager entityManager = holder.getEntityManager();
				if (entityManager.isJoinedToTransaction() && manages(entityManager.getEntityManagerFactory())) {
					return entityManager;
				}
			}
		}
		throw new IllegalStateException(
				("There is no entity manager for %s in the transaction. Perspectives of entities need a JpaTransactionManager "
						+ "for the database that has the events, and the class must be an entity there")
					.formatted(this.type.getName()));
	}

	private boolean manages(EntityManagerFactory candidate) {
		if (candidate == this.factory) {
			return true;
		}
		boolean manages = candidate.getMetamodel()
			.getEntities()
			.stream()
			.anyMatch((entity) -> entity.getJavaType() == this.type);
		if (manages) {
			this.factory = candidate;
		}
		return manages;
	}

}
