package io.whizbang.benchmarks;

import java.util.List;

import io.whizbang.benchmarks.SalesModel.Change;
import io.whizbang.event.StoredEvent;
import io.whizbang.perspective.Interest;
import io.whizbang.perspective.PerspectiveHandler;
import io.whizbang.perspective.PerspectiveRun;

/**
 * Keeps the model of sales as a perspective with default settings.
 */
final class SalesPerspective implements PerspectiveHandler {

	static final String NAME = "sales";

	private final SalesModel model;

	SalesPerspective(SalesModel model) {
		this.model = model;
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public Interest interest() {
		return (name, type) -> true;
	}

	@Override
	public void apply(StoredEvent event, PerspectiveRun run) {
		applyAll(List.of(event), run);
	}

	@Override
	public void applyAll(List<StoredEvent> events, PerspectiveRun run) {
		this.model.apply(run.table(NAME),
				events.stream().map((event) -> new Change(event.stream().value(), (Sold) event.payload())).toList());
	}

	@Override
	public void prepare(PerspectiveRun run) {
		this.model.create(run.table(NAME));
	}

	@Override
	public void retire(PerspectiveRun run) {
		this.model.drop(run.table(NAME));
	}

}
