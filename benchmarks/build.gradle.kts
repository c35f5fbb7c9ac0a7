plugins {
	application
}

application {
	mainClass = "io.whizbang.benchmarks.Benchmarks"
}

dependencies {
	implementation(project(":whizbang-core"))
	implementation(project(":whizbang-test"))
	implementation("com.zaxxer:HikariCP")
	implementation(libs.db.scheduler)
	implementation("org.springframework.kafka:spring-kafka")
	implementation("org.springframework.kafka:spring-kafka-test")
}
