package io.whizbang.autoconfigure;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Spring Security is on the class path of these tests; most applications here go without
 * it.
 */
public final class Unsecured {

	/** A property that leaves Spring Security off. */
	public static final String PROPERTY = Stream
		.of("SecurityAutoConfiguration", "UserDetailsServiceAutoConfiguration",
				"actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
				"web.servlet.SecurityFilterAutoConfiguration", "web.servlet.ServletWebSecurityAutoConfiguration")
		.map("org.springframework.boot.security.autoconfigure."::concat)
		.collect(Collectors.joining(",", "spring.autoconfigure.exclude=", ""));

	private Unsecured() {
	}

}
