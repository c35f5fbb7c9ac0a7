package io.whizbang.perspective;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import io.whizbang.coordinator.CoordinatorSettings;
import io.whizbang.coordinator.InstanceInfo;
import io.whizbang.coordinator.WorkCoordinator;
import io.whizbang.perspective.JdbcRuns.BusyShard;
import io.whizbang.work.Queue;
import io.whizbang.worker.TransientErrors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.CannotCreateTransactionException;

/**
 * This instance's place among those that have the code of the same perspectives.
 */
final class Roster {

	private static final Logger logger = LoggerFactory.getLogger(Roster.class);

	private final WorkCoordinator coordinator;

	private final CoordinatorSettings rules;

	private final InstanceInfo info;

	private final JdbcRuns runs;

	private final Collection<LaneTools> tools;

	private final PerspectiveSettings settings;

	private final Runnable membersChanged;

	private volatile @Nullable UUID instance;

	/** Registered, but maybe not a member yet: the answer may have been lost. */
	private @Nullable UUID joining;

	private volatile @Nullable Integer session;

	private @Nullable Integer watched;

	private final List<LaneTools> unopened;

	private volatile boolean alone;

	private Set<BusyShard> held = Set.of();

	private final Set<Long> compared = new HashSet<>();

	Roster(WorkCoordinator coordinator, CoordinatorSettings rules, InstanceInfo info, JdbcRuns runs,
			Collection<LaneTools> tools, PerspectiveSettings settings, Runnable membersChanged) {
		this.coordinator = coordinator;
		this.rules = rules;
		this.info = info;
		this.runs = runs;
		this.tools = tools;
		this.unopened = new ArrayList<>(tools);
		this.settings = settings;
		this.membersChanged = membersChanged;
	}

	@Nullable UUID instance() {
		return this.instance;
	}

	/** Whether nobody else has to be told of new events, as far as is known. */
	boolean isAlone() {
		return this.alone;
	}

	/** Tells which database session dies with this process. */
	void session(@Nullable Integer backendPid) {
		this.session = backendPid;
	}

	/**
	 * Takes this instance's share.
	 * @param busy shards that are just being worked on
	 * @return what it holds, or {@code null} when it counts as dead and must begin anew
	 */
	@Nullable List<HeldRow> hold(Collection<BusyShard> busy) {
		UUID joined = join();
		List<Optional<HeldRow>> rows = this.runs.hold(joined, this.settings.lease(), this.rules, busy);
		List<HeldRow> held = rows.stream().flatMap(Optional::stream).toList();
		if (held.size() < rows.size()) {
			logger.warn("This instance counted as dead and begins anew; its shards were taken over");
			forget();
			return null;
		}
		held.stream().map(HeldRow::run).forEach(this::compare);
		Set<PerspectiveRun> known = held.stream().map((row) -> row.run().run()).collect(Collectors.toSet());
		this.alone = known.size() >= this.tools.size() && held.stream().allMatch((row) -> row.members() == 1);
		Set<BusyShard> before = this.held;
		this.held = held.stream()
			.map((row) -> new BusyShard(row.run().id(), row.shard().shard()))
			.collect(Collectors.toSet());
		if (!this.held.containsAll(before)) {
			// What was given up is there for others to take.
			this.membersChanged.run();
		}
		return held;
	}

	/** What the code says about shards counts when a run begins, and never after. */
	private void compare(RunInfo run) {
		for (LaneTools tools : this.tools) {
			PerspectiveHandler handler = tools.projection().handler();
			int shards = tools.projection().shards();
			if (handler.name().equals(run.name()) && handler.version() == run.run().version() && shards != run.shards()
					&& this.compared.add(run.id())) {
				logger.warn(
						"{} began with {} shards and keeps them, though its code says {} by now{}; rebuild it, or raise its version",
						run.run(), run.shards(), shards,
						handler.global() ? ": it is not global, and its streams are in no order among themselves" : "");
			}
		}
	}

	/** How long until one of the others may be found dead, if one seems to be. */
	@Nullable Duration untilDeath() {
		UUID joined = this.instance;
		return (joined != null && !this.alone) ? this.runs.untilDeath(joined, this.rules) : null;
	}

	private UUID join() {
		open();
		UUID joined = this.instance;
		if (joined == null) {
			joined = register();
			this.instance = joined;
			this.joining = null;
			this.watched = null;
			this.membersChanged.run();
		}
		Integer session = this.session;
		if (!Objects.equals(session, this.watched)) {
			this.coordinator.watchSession(joined, session);
			this.watched = session;
		}
		return joined;
	}

	/** Who tries again is no other instance: nobody would work for the first one. */
	private UUID register() {
		UUID joining = this.joining;
		if (joining == null) {
			joining = this.coordinator.register(this.info, Set.of(Queue.PERSPECTIVES));
			this.joining = joining;
		}
		try {
			this.runs.join(joining, this.tools.stream().map((each) -> each.projection().handler()).toList());
		}
		catch (RuntimeException ex) {
			if (!TransientErrors.isTransient(ex)) {
				// It may count as dead by now.
				this.joining = null;
			}
			throw ex;
		}
		return joining;
	}

	/** Begins what has not begun yet. Code that cannot keeps no other from it. */
	void open() {
		for (LaneTools tools : List.copyOf(this.unopened)) {
			try {
				tools.transactions().run(() -> open(tools), () -> {
				});
				this.unopened.remove(tools);
			}
			catch (CannotCreateTransactionException ex) {
				// The database is away, for the others too.
				throw ex;
			}
			catch (Throwable ex) {
				Failures.rethrowFatal(ex);
				logger.error("The perspective {} cannot begin; it is tried again", tools.projection().handler().name(),
						ex);
			}
		}
	}

	private void open(LaneTools tools) {
		PerspectiveHandler handler = tools.projection().handler();
		PerspectiveRun begun = this.runs.open(handler, tools.projection().shards());
		if (begun != null) {
			handler.prepare(begun);
			logger.info("{} begins", begun);
		}
	}

	/** What it believed to be so was so while it was there. */
	private void forget() {
		this.instance = null;
		this.joining = null;
		this.alone = false;
		this.held = Set.of();
	}

	/** Lets the others look. */
	void announce() {
		this.membersChanged.run();
	}

	/** Leaves everything to others. */
	void leave() {
		UUID leaving = (this.instance != null) ? this.instance : this.joining;
		if (leaving != null) {
			forget();
			this.coordinator.leave(leaving);
			this.membersChanged.run();
		}
	}

}
