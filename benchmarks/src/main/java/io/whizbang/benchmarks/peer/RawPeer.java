package io.whizbang.benchmarks.peer;

import java.util.List;
import java.util.function.Consumer;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.whizbang.benchmarks.Payload;
import io.whizbang.benchmarks.RawLoop;

/**
 * The limit: select and delete, without claims, woken inside the process.
 */
final class RawPeer implements Peer {

	private final HikariDataSource dataSource;

	private final RawLoop loop;

	RawPeer(String url) {
		this.dataSource = Pools.create(url);
		this.loop = new RawLoop(this.dataSource);
	}

	@Override
	public String name() {
		return this.loop.name();
	}

	@Override
	public String version() {
		return "this one";
	}

	@Override
	public String settings() {
		return "one thread, select of 2000 and delete, woken after commit; no claims, leases, retries or second instance";
	}

	@Override
	public boolean keepsOrder() {
		return true;
	}

	@Override
	public List<String> tables() {
		return List.of("raw_outbox");
	}

	@Override
	public DataSource dataSource() {
		return this.dataSource;
	}

	@Override
	public void enqueue(String stream, Payload payload) {
		this.loop.enqueue(stream, payload);
	}

	@Override
	public void load(List<Payload> payloads) {
		this.loop.load(payloads);
	}

	@Override
	public void committed() {
		this.loop.committed();
	}

	@Override
	public void start(Consumer<Payload> delivered) {
		this.loop.start(delivered);
	}

	@Override
	public void stop() {
		this.loop.stop();
	}

	@Override
	public void close() {
		this.loop.close();
		this.dataSource.close();
	}

}
