plugins {
	`java-library`
}

dependencies {
	api(project(":whizbang-core"))
	api(libs.embedded.postgres)
	api("org.junit.jupiter:junit-jupiter-api")
	api("org.awaitility:awaitility")
	api("com.zaxxer:HikariCP")

	compileOnly("org.testcontainers:testcontainers-postgresql")
	compileOnly("com.rabbitmq:amqp-client")
	compileOnly("org.testcontainers:testcontainers-rabbitmq")
	compileOnly(libs.checker.qual)
	compileOnly("org.springframework:spring-test")

	testImplementation("org.springframework.boot:spring-boot-starter-test")
	testImplementation("org.springframework.boot:spring-boot-starter-data-jpa")
	testImplementation("org.springframework.amqp:spring-rabbit")
}
