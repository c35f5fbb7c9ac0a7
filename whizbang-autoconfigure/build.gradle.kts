plugins {
	`java-library`
}

dependencies {
	annotationProcessor(libs.spring.boot.configuration.processor)
	annotationProcessor(libs.spring.boot.autoconfigure.processor)

	api(project(":whizbang-core"))
	api("org.springframework.boot:spring-boot-autoconfigure")
	api("org.springframework.boot:spring-boot-jdbc")
	api("org.springframework.boot:spring-boot-transaction")
	api("org.springframework.boot:spring-boot-sql")
	api("org.springframework.boot:spring-boot-jackson")

	compileOnly("org.springframework.boot:spring-boot-health")
	compileOnly("org.springframework.boot:spring-boot-actuator-autoconfigure")
	compileOnly("org.springframework.boot:spring-boot-micrometer-metrics")
	compileOnly("org.springframework.boot:spring-boot-micrometer-observation")
	compileOnly("com.zaxxer:HikariCP")
	compileOnly("org.springframework.boot:spring-boot-kafka")
	compileOnly("org.springframework.boot:spring-boot-amqp")
	compileOnly("org.springframework.boot:spring-boot-webmvc")
	compileOnly("jakarta.servlet:jakarta.servlet-api")
	compileOnly("org.springframework.security:spring-security-web")

	testImplementation(project(":whizbang-test"))
	testImplementation("org.springframework.boot:spring-boot-liquibase")
	testImplementation("org.springframework.boot:spring-boot-flyway")
	testImplementation("org.flywaydb:flyway-database-postgresql")
	testImplementation("org.springframework.boot:spring-boot-starter-data-jpa")
	testImplementation("org.springframework.boot:spring-boot-starter-webmvc")
	testImplementation("org.springframework.boot:spring-boot-starter-security")
	testImplementation("com.h2database:h2")
	testImplementation("org.springframework.boot:spring-boot-micrometer-tracing-opentelemetry")
	testImplementation("io.micrometer:micrometer-tracing-bridge-otel")
	testImplementation("io.opentelemetry:opentelemetry-sdk-testing")
	testImplementation("io.micrometer:micrometer-registry-prometheus")
	testImplementation("org.springframework.kafka:spring-kafka-test")
	testImplementation("org.springframework.boot:spring-boot-starter-test")
}
