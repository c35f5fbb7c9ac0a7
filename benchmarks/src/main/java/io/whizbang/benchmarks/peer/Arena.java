package io.whizbang.benchmarks.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.whizbang.benchmarks.Benchmarks;
import io.whizbang.test.EmbeddedPostgresServer;
import io.whizbang.test.PostgresDatabase;

/**
 * One server, a database for each contender, and their processes.
 */
final class Arena implements AutoCloseable {

	private final Path directory;

	private final EmbeddedPostgresServer server;

	private final Map<String, PostgresDatabase> databases = new HashMap<>();

	private final Map<String, PeerHandle> handles = new LinkedHashMap<>();

	private final List<PeerHandle> others = new ArrayList<>();

	Arena(Path directory) {
		this.directory = directory;
		try {
			Files.createDirectories(directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot create " + directory, ex);
		}
		Map<String, String> settings = new HashMap<>(Benchmarks.DURABLE);
		settings.put("shared_preload_libraries", "pg_stat_statements");
		settings.put("max_connections", "600");
		this.server = EmbeddedPostgresServer.create(settings);
	}

	/** Returns a contender's only process, started when it is asked for first. */
	PeerHandle get(String name, Profile profile) {
		String key = name + " " + profile.label();
		PeerHandle handle = this.handles.get(key);
		if (handle == null) {
			handle = start(name, profile, key);
			this.handles.put(key, handle);
		}
		return handle;
	}

	/** Starts another process of a contender on a database that it may share. */
	PeerHandle another(String name, String database) {
		PeerHandle handle = start(name, Profile.DEFAULTS, database);
		this.others.add(handle);
		return handle;
	}

	private PeerHandle start(String name, Profile profile, String database) {
		return PeerHandle.start(name, profile, url(this.databases.computeIfAbsent(database, this::create)),
				this.directory.resolve(name.replace(' ', '-') + "-" + profile.label() + ".log"));
	}

	private PostgresDatabase create(String label) {
		PostgresDatabase created = this.server.server().createDatabase(label);
		created.jdbc().execute("create extension pg_stat_statements");
		return created;
	}

	private String url(PostgresDatabase database) {
		String url = database.jdbcUrl();
		return url + (url.contains("?") ? "&" : "?") + "user=" + this.server.server().username();
	}

	String version() {
		return ask("select version()");
	}

	String date() {
		return ask("select current_date::text");
	}

	/** Settings of the server that decide what a commit costs. */
	Map<String, String> settings() {
		Map<String, String> settings = new LinkedHashMap<>();
		for (String name : List.of("fsync", "synchronous_commit", "full_page_writes", "wal_sync_method",
				"shared_buffers", "max_wal_size", "shared_preload_libraries")) {
			settings.put(name, this.server.server().administration().queryForList("show " + name, String.class).get(0));
		}
		return settings;
	}

	private String ask(String sql) {
		return this.server.server().administration().queryForList(sql, String.class).get(0);
	}

	Path file(String name) {
		return this.directory.resolve(name).toAbsolutePath();
	}

	/** Ends processes that shared a database. */
	void closeOthers() {
		this.others.forEach(PeerHandle::close);
		this.others.clear();
	}

	/** Ends a contender's process. */
	void close(String name, Profile profile) {
		PeerHandle handle = this.handles.remove(name + " " + profile.label());
		if (handle != null) {
			handle.close();
		}
	}

	@Override
	public void close() {
		closeOthers();
		this.handles.values().forEach(PeerHandle::close);
		this.databases.values().forEach(PostgresDatabase::close);
		this.server.close();
	}

}
