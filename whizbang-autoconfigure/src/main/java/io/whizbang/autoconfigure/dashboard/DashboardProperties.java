package io.whizbang.autoconfigure.dashboard;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * Settings of the dashboard.
 *
 * @param enabled Whether to serve the dashboard.
 * @param path Path of the dashboard, below the application's context path.
 * @param writable Whether people can change something on the dashboard. What an endpoint
 * does not permit stays forbidden.
 * @param role Role that users must have. Without it, every user who has logged in can see
 * the dashboard.
 */
@ConfigurationProperties("whizbang.dashboard")
public record DashboardProperties(@DefaultValue("false") boolean enabled, @DefaultValue("/whizbang") String path,
		@DefaultValue("false") boolean writable, @Nullable String role) {

	public DashboardProperties {
		Assert.isTrue(path.matches("(/[A-Za-z0-9._~-]+)+"),
				() -> "whizbang.dashboard.path must be a path of letters, digits and . _ ~ - such as /whizbang, without a slash at its end, but is '%s'"
					.formatted(path));
	}

}
