package io.whizbang.docs.sample;

import java.time.LocalDate;
import java.time.ZoneOffset;

import io.whizbang.event.StoredEvent;
import io.whizbang.perspective.On;
import io.whizbang.perspective.OnPrepare;
import io.whizbang.perspective.OnReset;
import io.whizbang.perspective.OnRetire;
import io.whizbang.perspective.Perspective;
import io.whizbang.perspective.PerspectiveRun;

import org.springframework.jdbc.core.simple.JdbcClient;

// tag::jdbc[]
@Perspective(name = "turnover-per-day", global = true)
class TurnoverPerDay {

	private final JdbcClient jdbc;

	TurnoverPerDay(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@On
	void moved(MoneyMoved event, StoredEvent stored, PerspectiveRun run) {
		this.jdbc.sql("""
				insert into %s as t (day, amount) values (?, ?)
				on conflict (day) do update set amount = t.amount + excluded.amount""".formatted(table(run)))
			.param(LocalDate.ofInstant(stored.recordedAt(), ZoneOffset.UTC))
			.param(event.amount().abs())
			.update();
	}

	@OnReset
	void empty(PerspectiveRun run) {
		this.jdbc.sql("truncate " + table(run)).update();
	}

	@OnPrepare
	void create(PerspectiveRun run) {
		this.jdbc
			.sql("create table if not exists %s (day date primary key, amount numeric not null)".formatted(table(run)))
			.update();
	}

	@OnRetire
	void drop(PerspectiveRun run) {
		this.jdbc.sql("drop table if exists " + table(run)).update();
	}

	private static String table(PerspectiveRun run) {
		return run.table("turnover_per_day");
	}

}
// end::jdbc[]
