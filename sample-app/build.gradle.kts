plugins {
	application
}

application {
	mainClass = "io.whizbang.sample.ShopApplication"
}

dependencies {
	implementation(project(":whizbang-spring-boot-starter"))
	implementation("org.springframework.boot:spring-boot-starter-webmvc")
	implementation("org.springframework.boot:spring-boot-starter-data-jpa")
	implementation("org.springframework.boot:spring-boot-starter-validation")
	implementation("org.springframework.boot:spring-boot-starter-liquibase")
	implementation("org.springframework.boot:spring-boot-starter-actuator")
	implementation("org.springframework.boot:spring-boot-starter-kafka")
	implementation("org.springframework.boot:spring-boot-starter-amqp")
	implementation(libs.embedded.postgres)

	testImplementation(project(":whizbang-test"))
	testImplementation("org.springframework.kafka:spring-kafka-test")
	testImplementation("org.springframework.boot:spring-boot-starter-test")
}
