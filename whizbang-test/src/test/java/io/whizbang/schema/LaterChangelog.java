package io.whizbang.schema;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The changelog of an imagined later release.
 */
final class LaterChangelog {

	private LaterChangelog() {
	}

	/** Brings one more table. */
	static Changelog withTable(String table) {
		String file = "tables/9999-" + table + ".sql";
		Map<String, String> files = new LinkedHashMap<>(Changelog.read().files());
		files.computeIfPresent(Changelog.ENTRY,
				(path, text) -> text + "\n  - include: { file: " + file + ", relativeToChangelogFile: true }\n");
		files.put(Changelog.FOLDER + file, """
				--liquibase formatted sql
				--changeset whizbang:9999-%1$s splitStatements:false stripComments:false
				create table ${schema}.%1$s (id int)
				""".formatted(table));
		return new Changelog(files, "fingerprint of the release with " + table);
	}

}
