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
	implementation("org.springframework.boot:spring-boot-starter-actuator")
	implementation(libs.embedded.postgres)

	testImplementation("org.springframework.boot:spring-boot-starter-test")
}
