package io.whizbang.sample;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Docker Compose starts is what the profiles of the shop expect. It is read here,
 * not run.
 */
class ComposeTests {

	private final Map<String, Service> services = services();

	@Test
	void everyServiceHasTheProfileOfTheShopThatUsesIt() {
		assertThat(this.services).containsOnlyKeys("postgres", "kafka", "rabbit")
			.allSatisfy((name, service) -> assertThat(service.profiles()).containsExactly(name));
	}

	@ParameterizedTest
	@ValueSource(strings = { "postgres", "kafka", "rabbit" })
	void nobodyElseGetsInAndVersionsAreSaid(String name) {
		Service service = service(name);
		assertThat(service.ports()).isNotEmpty().allMatch((port) -> port.matches("127\\.0\\.0\\.1:(\\d+):\\1"));
		assertThat(service.image()).matches("[a-z/]+:\\d.*");
	}

	@Test
	void postgresIsWhereTheProfileLooks() throws IOException {
		Settings settings = Settings.of("postgres");
		Service service = service("postgres");
		URI url = URI.create(settings.get("spring.datasource.url").substring("jdbc:".length()));
		assertThat(url.getHost()).isEqualTo("localhost");
		assertThat(service.ports()).containsExactly(published(url.getPort()));
		assertThat(url.getPath()).isEqualTo("/" + service.environment().get("POSTGRES_DB"));
		assertThat(service.environment()).containsEntry("POSTGRES_USER", settings.get("spring.datasource.username"))
			.containsEntry("POSTGRES_PASSWORD", settings.get("spring.datasource.password"));
	}

	@Test
	void kafkaIsWhereTheProfileLooksAndNeedsNoZooKeeper() throws IOException {
		String address = Settings.of("kafka").get("spring.kafka.bootstrap-servers");
		Service service = service("kafka");
		assertThat(address).startsWith("localhost:");
		assertThat(service.ports())
			.containsExactly(published(Integer.parseInt(address.substring("localhost:".length()))));
		assertThat(service.environment()).containsEntry("KAFKA_ADVERTISED_LISTENERS", "PLAINTEXT://" + address)
			.containsEntry("KAFKA_PROCESS_ROLES", "broker,controller");
	}

	@Test
	void rabbitIsWhereTheProfileLooks() throws IOException {
		Settings settings = Settings.of("rabbit");
		Service service = service("rabbit");
		assertThat(settings.get("spring.rabbitmq.host")).isEqualTo("localhost");
		assertThat(service.ports()).contains(published(Integer.parseInt(settings.get("spring.rabbitmq.port"))));
		assertThat(service.environment())
			.containsEntry("RABBITMQ_DEFAULT_USER", settings.get("spring.rabbitmq.username"))
			.containsEntry("RABBITMQ_DEFAULT_PASS", settings.get("spring.rabbitmq.password"));
	}

	/** Tests run in the folder of their module. */
	@Test
	void theReadmeNamesTheFileAndEveryProfile() throws IOException {
		assertThat(Files.readString(Path.of("README.md")))
			.contains("docker compose -f sample-app/docker-compose.yml --profile postgres up")
			.contains("`postgres`", "`kafka`", "`rabbit`");
	}

	private static String published(int port) {
		return "127.0.0.1:%d:%d".formatted(port, port);
	}

	private Service service(String name) {
		return Objects.requireNonNull(this.services.get(name), name);
	}

	private static Map<String, Service> services() {
		try (Reader reader = Files.newBufferedReader(Path.of("docker-compose.yml"))) {
			Map<String, Object> file = new Yaml().load(reader);
			@SuppressWarnings("unchecked")
			Map<String, Map<String, Object>> services = (Map<String, Map<String, Object>>) file.get("services");
			return services.entrySet()
				.stream()
				.collect(Collectors.toMap(Map.Entry::getKey, (service) -> Service.of(service.getValue())));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private record Service(String image, List<String> profiles, List<String> ports, Map<String, String> environment) {

		@SuppressWarnings("unchecked")
		static Service of(Map<String, Object> service) {
			return new Service((String) service.get("image"), (List<String>) service.get("profiles"),
					(List<String>) service.get("ports"), (Map<String, String>) service.get("environment"));
		}

	}

	private record Settings(List<PropertySource<?>> sources) {

		static Settings of(String profile) throws IOException {
			return new Settings(new YamlPropertySourceLoader().load(profile,
					new ClassPathResource("application-%s.yml".formatted(profile))));
		}

		String get(String name) {
			return String.valueOf(this.sources.get(0).getProperty(name));
		}

	}

}
