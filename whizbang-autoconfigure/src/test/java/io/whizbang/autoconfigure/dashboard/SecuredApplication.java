package io.whizbang.autoconfigure.dashboard;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

import io.whizbang.outbox.Outbox;
import io.whizbang.outbox.OutboxHandler;
import io.whizbang.test.PostgresDatabase;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.util.Assert;

/**
 * An application with Spring Security as Boot sets it up, or, with the profile
 * {@code open}, with a filter chain that lets everyone pass.
 */
final class SecuredApplication implements AutoCloseable {

	private final HttpClient http = HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

	private final ConfigurableApplicationContext context;

	SecuredApplication(PostgresDatabase database, String... properties) {
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.bannerMode(Banner.Mode.OFF)
			.properties("server.port=0", "spring.datasource.url=" + database.jdbcUrl(),
					"spring.datasource.username=postgres", "spring.jpa.open-in-view=false",
					"spring.liquibase.enabled=false", "spring.flyway.enabled=false", "spring.security.user.name=ada",
					"spring.security.user.password=secret", "spring.security.user.roles=OPS",
					"whizbang.dashboard.enabled=true")
			.properties(properties)
			.run();
	}

	String address() {
		return "http://localhost:" + this.context.getEnvironment().getRequiredProperty("local.server.port");
	}

	void enqueue(String payload) {
		this.context.getBean(Outbox.class).enqueue("orders", payload);
	}

	/** From now on nothing fails. */
	void repair() {
		this.context.getBean(Application.class).repaired = true;
	}

	HttpResponse<String> anonymous(String method, String path, Map<String, String> headers) {
		return send(method, path, headers);
	}

	HttpResponse<String> ada(String method, String path, Map<String, String> headers) {
		Map<String, String> all = new HashMap<>(headers);
		all.put("Authorization",
				"Basic " + Base64.getEncoder().encodeToString("ada:secret".getBytes(StandardCharsets.UTF_8)));
		return send(method, path, all);
	}

	private HttpResponse<String> send(String method, String path, Map<String, String> headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address() + path))
			.method(method, BodyPublishers.noBody());
		headers.forEach(request::header);
		try {
			return this.http.send(request.build(), BodyHandlers.ofString());
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException("No answer to " + method + " " + path, ex);
		}
	}

	@Override
	public void close() {
		this.context.close();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		private volatile boolean repaired;

		@OutboxHandler(topic = "orders")
		void take(String payload) {
			Assert.state(this.repaired || !payload.equals("poison"), "It is poison");
		}

		@Configuration(proxyBeanMethods = false)
		@Profile("open")
		static class Open {

			@Bean
			SecurityFilterChain everyone(HttpSecurity http) {
				return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
					.httpBasic((basic) -> {
					})
					.csrf((csrf) -> csrf.disable())
					.build();
			}

		}

	}

}
