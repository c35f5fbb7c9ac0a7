plugins {
	`java-library`
}

dependencies {
	api(project(":whizbang-autoconfigure"))
	api("org.springframework.boot:spring-boot-starter-jdbc")
	api("org.springframework.boot:spring-boot-starter-jackson")
}
