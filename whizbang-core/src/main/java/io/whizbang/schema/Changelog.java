package io.whizbang.schema;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.core.io.ClassPathResource;

/**
 * The changelog that comes with this release.
 *
 * @param files path and text of the entry and of the SQL files, in the order in which
 * they run
 * @param fingerprint hash of the SQL files' names and texts
 */
record Changelog(Map<String, String> files, String fingerprint) {

	static final String FOLDER = "db/whizbang/";

	static final String ENTRY = FOLDER + "changelog.yaml";

	/** Reading our own list is far quicker than letting Liquibase parse it. */
	private static final Pattern FILE = Pattern.compile("file:\\s*([\\w./-]+\\.sql)");

	static Changelog read() {
		Map<String, String> files = new LinkedHashMap<>();
		MessageDigest digest = sha256();
		String entry = text(ENTRY);
		files.put(ENTRY, entry);
		Matcher file = FILE.matcher(entry);
		while (file.find()) {
			String path = FOLDER + file.group(1);
			String text = text(path);
			files.put(path, text);
			digest.update((path + '\n' + text + '\n').getBytes(StandardCharsets.UTF_8));
		}
		return new Changelog(files, HexFormat.of().formatHex(digest.digest()));
	}

	/**
	 * Returns the release that this changelog belongs to.
	 * @return the jar's version, or a word that says that there is no jar
	 */
	static String release() {
		String version = Changelog.class.getPackage().getImplementationVersion();
		return (version != null) ? version : "development";
	}

	private static String text(String path) {
		try (InputStream stream = new ClassPathResource(path, Changelog.class.getClassLoader()).getInputStream()) {
			return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new SchemaException("Cannot read " + path + " from the classpath", ex);
		}
	}

	private static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java runtime has SHA-256", ex);
		}
	}

}
