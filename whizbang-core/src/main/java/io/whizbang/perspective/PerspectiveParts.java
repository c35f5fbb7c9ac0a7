package io.whizbang.perspective;

import java.util.Collection;

import javax.sql.DataSource;

import io.whizbang.event.EventCodec;
import io.whizbang.event.EventTypes;
import io.whizbang.observation.PerspectiveObservations;

import org.springframework.transaction.PlatformTransactionManager;

/**
 * What perspectives are made of.
 *
 * @param dataSource the database that has the events
 * @param schema the schema that Whizbang is installed in
 * @param transactions the transactions that models are changed in
 * @param codec how events are read
 * @param types the event types
 * @param handlers the perspectives' code, complete when the worker starts
 * @param settings how they are worked on
 * @param completion how much is applied in one transaction
 * @param readiness whether the database can be worked with
 * @param listener hears what happens
 * @param observations who observes
 */
public record PerspectiveParts(DataSource dataSource, String schema, PlatformTransactionManager transactions,
		EventCodec codec, EventTypes types, PerspectiveHandlers handlers, PerspectiveSettings settings,
		CompletionStrategy completion, DatabaseReadiness readiness, PerspectiveListener listener,
		PerspectiveObservations observations) {

	/**
	 * Returns parts with the usual choices.
	 * @param dataSource the database that has the events
	 * @param schema the schema that Whizbang is installed in
	 * @param transactions the transactions that models are changed in
	 * @param codec how events are read
	 * @param types the event types
	 * @param handlers the perspectives' code
	 * @return the parts
	 */
	public static PerspectiveParts of(DataSource dataSource, String schema, PlatformTransactionManager transactions,
			EventCodec codec, EventTypes types, Collection<PerspectiveHandler> handlers) {
		return new PerspectiveParts(dataSource, schema, transactions, codec, types, PerspectiveHandlers.of(handlers),
				PerspectiveSettings.defaults(), CompletionStrategy.batched(),
				DatabaseReadiness.ofConnection(dataSource), PerspectiveListener.NONE, PerspectiveObservations.NONE);
	}

	public PerspectiveParts with(PerspectiveSettings settings) {
		return new PerspectiveParts(this.dataSource, this.schema, this.transactions, this.codec, this.types,
				this.handlers, settings, this.completion, this.readiness, this.listener, this.observations);
	}

	public PerspectiveParts with(CompletionStrategy completion) {
		return new PerspectiveParts(this.dataSource, this.schema, this.transactions, this.codec, this.types,
				this.handlers, this.settings, completion, this.readiness, this.listener, this.observations);
	}

	public PerspectiveParts with(DatabaseReadiness readiness) {
		return new PerspectiveParts(this.dataSource, this.schema, this.transactions, this.codec, this.types,
				this.handlers, this.settings, this.completion, readiness, this.listener, this.observations);
	}

	public PerspectiveParts with(PerspectiveListener listener) {
		return new PerspectiveParts(this.dataSource, this.schema, this.transactions, this.codec, this.types,
				this.handlers, this.settings, this.completion, this.readiness, listener, this.observations);
	}

	public PerspectiveParts with(PerspectiveObservations observations) {
		return new PerspectiveParts(this.dataSource, this.schema, this.transactions, this.codec, this.types,
				this.handlers, this.settings, this.completion, this.readiness, this.listener, observations);
	}

}
