package io.whizbang.chaos;

import java.util.Map;
import java.util.Random;
import java.util.Set;

import javax.sql.DataSource;

import io.whizbang.inbox.Receptor;
import io.whizbang.message.Envelope;
import io.whizbang.outbox.Outbox;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Writes a row for each message and emits another message; fails now and then.
 */
final class EffectReceptor implements Receptor<Map<String, String>> {

	private final String name;

	private final JdbcTemplate jdbc;

	private final Outbox outbox;

	private final Fate fate;

	private final Random random;

	EffectReceptor(String name, DataSource dataSource, Outbox outbox, Fate fate, Random random) {
		this.name = name;
		this.jdbc = new JdbcTemplate(dataSource);
		this.outbox = outbox;
		this.fate = fate;
		this.random = random;
	}

	@Override
	public void handle(Map<String, String> payload, Envelope envelope) {
		this.fate.pass();
		String stream = payload.getOrDefault("stream", "");
		int number = Integer.parseInt(payload.getOrDefault("number", "0"));
		this.jdbc.update("insert into chaos_effect (receptor, stream, number) values (?, ?, ?)", this.name, stream,
				number);
		this.outbox.enqueue("done." + this.name, stream, number);
		if (this.random.nextInt(25) == 0) {
			throw new IllegalStateException("not this time");
		}
		this.fate.pass();
	}

	@Override
	public Set<String> topics() {
		return Set.of("orders");
	}

}
