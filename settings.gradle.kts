rootProject.name = "whizbang"

dependencyResolutionManagement {
	repositories {
		mavenCentral()
	}
}

include("whizbang-core")
include("whizbang-autoconfigure")
include("whizbang-spring-boot-starter")
include("whizbang-test")
include("sample-app")
include("benchmarks")
