package io.whizbang.benchmarks.peer;

import java.net.URL;
import java.security.CodeSource;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of a library, read from the name of the jar that it is in.
 */
final class Versions {

	private static final Pattern JAR = Pattern.compile(".*-(\\d[\\w.]*(?:-\\w+)?)\\.jar$");

	private Versions() {
	}

	static String of(Class<?> type) {
		CodeSource source = type.getProtectionDomain().getCodeSource();
		URL location = (source != null) ? source.getLocation() : null;
		if (location == null) {
			return "unknown";
		}
		Matcher jar = JAR.matcher(location.getPath());
		return jar.matches() ? jar.group(1) : "this one";
	}

}
