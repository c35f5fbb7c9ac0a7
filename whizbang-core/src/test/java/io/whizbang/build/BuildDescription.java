package io.whizbang.build;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What both builds have to agree on, in Gradle's words.
 *
 * @param group group of every module
 * @param version version of every module
 * @param release the Java release that the classes are for
 * @param lint the compiler's warnings
 * @param modules names of the modules, in order
 * @param mainClasses what is started, by module
 * @param versions versions that are not Boot's business, by name
 * @param libraries name of the version in use, by coordinates
 * @param platforms coordinates of the imported dependency management
 * @param dependencies by module: configuration and coordinates
 */
record BuildDescription(String group, String version, String release, String lint, List<String> modules,
		Map<String, String> mainClasses, Map<String, String> versions, Map<String, String> libraries,
		Set<String> platforms, Map<String, Set<String>> dependencies) {

}
