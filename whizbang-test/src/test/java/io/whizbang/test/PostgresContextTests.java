package io.whizbang.test;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE)
@PostgresTest
class PostgresContextTests {

	@Test
	void givesAnApplicationContextADatabaseOfItsOwn(@Autowired PostgresDatabase database,
			@Value("${spring.datasource.url}") String url, @Value("${spring.datasource.username}") String username) {
		assertThat(url).isEqualTo(database.jdbcUrl());
		assertThat(username).isEqualTo(database.server().username());
		assertThat(database.jdbc().queryForObject("select current_database()", String.class))
			.isEqualTo(database.name());
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

	}

}
