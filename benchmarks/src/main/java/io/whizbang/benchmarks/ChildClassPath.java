package io.whizbang.benchmarks;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The class path for processes that are started here. Where Maven runs the benchmarks,
 * their classes are not on the class path of the virtual machine.
 */
public final class ChildClassPath {

	private ChildClassPath() {
	}

	public static String get() {
		if (ChildClassPath.class.getClassLoader() instanceof URLClassLoader loader) {
			return Arrays.stream(loader.getURLs()).map(URL::getPath).collect(Collectors.joining(":"));
		}
		return System.getProperty("java.class.path");
	}

}
