package io.whizbang.docs.sample;

import java.util.List;

import io.whizbang.event.StoredEvent;
import io.whizbang.perspective.Interest;
import io.whizbang.perspective.PerspectiveHandler;
import io.whizbang.perspective.PerspectiveRun;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

// tag::batch[]
@Component
class Balances implements PerspectiveHandler {

	private static final String SQL = """
			insert into balance as b (account, amount) values (?, ?)
			on conflict (account) do update set amount = b.amount + excluded.amount""";

	private final JdbcTemplate jdbc;

	Balances(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	@Override
	public String name() {
		return "balances";
	}

	@Override
	public Interest interest() {
		return Interest.of(MoneyMoved.class);
	}

	@Override
	public void apply(StoredEvent event, PerspectiveRun run) {
		applyAll(List.of(event), run);
	}

	@Override
	public void applyAll(List<StoredEvent> events, PerspectiveRun run) {
		this.jdbc.batchUpdate(SQL, events, events.size(), (statement, event) -> {
			statement.setString(1, event.stream().key());
			statement.setBigDecimal(2, ((MoneyMoved) event.payload()).amount());
		});
	}

	@Override
	public void reset(PerspectiveRun run) {
		this.jdbc.update("delete from balance");
	}

}
// end::batch[]
