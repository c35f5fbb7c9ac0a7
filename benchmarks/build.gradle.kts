plugins {
	application
}

application {
	mainClass = "io.whizbang.benchmarks.Benchmarks"
}

dependencies {
	implementation(project(":whizbang-core"))
	implementation(project(":whizbang-spring-boot-starter"))
	implementation(project(":whizbang-test"))
	implementation("com.zaxxer:HikariCP")
	implementation(libs.db.scheduler)
	implementation(libs.namastack.outbox)
	implementation(libs.transactionoutbox.spring)
	implementation(libs.javax.validation)
	// Maven runs it as 6.2, which the transaction outbox needs; Boot's platform does not let Gradle.
	implementation("org.hibernate.validator:hibernate-validator")
	implementation(libs.spring.modulith.jdbc)
	implementation(libs.jobrunr)
	implementation(libs.shedlock.jdbc)
	implementation("org.springframework.kafka:spring-kafka")
	implementation("org.springframework.kafka:spring-kafka-test")
}
