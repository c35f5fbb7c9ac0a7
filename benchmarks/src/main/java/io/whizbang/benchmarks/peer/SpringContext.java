package io.whizbang.benchmarks.peer;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application with the auto-configurations of one contender, and of Spring Boot. All
 * contenders are on one class path.
 */
final class SpringContext {

	private SpringContext() {
	}

	/**
	 * Starts an application.
	 * @param application its configuration
	 * @param contender the package of the contender's auto-configurations
	 * @param url its database
	 * @param properties its properties
	 * @return the running application
	 */
	static ConfigurableApplicationContext start(Class<?> application, String contender, String url,
			Map<String, String> properties) {
		Map<String, Object> all = new LinkedHashMap<>(properties);
		all.put("spring.datasource.url", url);
		all.put("spring.datasource.hikari.maximum-pool-size", Pools.SIZE);
		all.put("spring.datasource.hikari.minimum-idle", 0);
		all.put("spring.main.banner-mode", "off");
		all.put("spring.autoconfigure.exclude", others(contender));
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.properties(all)
			.registerShutdownHook(false)
			.run();
	}

	private static String others(String contender) {
		return StreamSupport
			.stream(ImportCandidates.load(AutoConfiguration.class, SpringContext.class.getClassLoader()).spliterator(),
					false)
			.filter((name) -> !name.startsWith("org.springframework.boot.") && !name.startsWith(contender))
			.collect(Collectors.joining(","));
	}

}
