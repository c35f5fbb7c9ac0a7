plugins {
	`java-library`
}

dependencies {
	api("org.springframework:spring-jdbc")
	api("org.springframework:spring-context")
	api("tools.jackson.core:jackson-databind")
	api("io.micrometer:micrometer-observation")
	api("io.micrometer:micrometer-core")
	api("org.liquibase:liquibase-core")
	api("org.postgresql:postgresql")
	api("org.slf4j:slf4j-api")
	api("org.jspecify:jspecify")

	compileOnly("org.springframework:spring-orm")
	compileOnly("jakarta.persistence:jakarta.persistence-api")
	compileOnly("org.springframework.kafka:spring-kafka")
	compileOnly("org.springframework.amqp:spring-rabbit")
	compileOnly(libs.checker.qual)

	testImplementation("org.junit.jupiter:junit-jupiter")
	testImplementation("org.assertj:assertj-core")
	testImplementation(libs.archunit.junit5)
}
