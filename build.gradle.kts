// The build for teams on Gradle 8.11 or later. Maven is what CI runs; BuildParityTests fails when the two drift apart.
// Format, Error Prone and NullAway are checked by Maven only, which keeps this build free of plugins.

val springBoot = libs.spring.boot.dependencies
val postgresBinaries = libs.postgres.binaries.bom

subprojects {
	group = "io.whizbang"
	version = "0.1.0-SNAPSHOT"

	apply(plugin = "java-library")

	dependencies {
		"implementation"(platform(springBoot))
		"implementation"(platform(postgresBinaries))
		"testRuntimeOnly"("org.junit.platform:junit-platform-launcher")
	}

	// What Maven calls optional is there for the tests, too.
	configurations.named("testImplementation") {
		extendsFrom(configurations["compileOnly"])
	}

	tasks.withType<JavaCompile>().configureEach {
		options.encoding = "UTF-8"
		options.release = 17
		options.compilerArgs.addAll(listOf("-parameters", "-Werror", "-Xlint:all,-processing,-serial,-try"))
	}

	tasks.withType<Test>().configureEach {
		useJUnitPlatform()
		include("**/*Tests.class")
		jvmArgs("-XX:+EnableDynamicAgentLoading", "-Djava.awt.headless=true")
		systemProperty("whizbang.test.template", "true")
	}
}
