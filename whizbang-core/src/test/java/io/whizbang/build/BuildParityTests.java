package io.whizbang.build;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Maven and Gradle build the same thing.
 */
class BuildParityTests {

	private final Path root = RepositoryRoot.find();

	private final BuildDescription maven = MavenBuild.read(this.root);

	private final BuildDescription gradle = GradleBuild.read(this.root);

	@Test
	void bothHaveTheSameModules() {
		assertThat(this.gradle.modules()).isEqualTo(this.maven.modules()).isNotEmpty();
	}

	@Test
	void bothNameAndNumberTheModulesAlike() {
		assertThat(this.gradle.group()).isEqualTo(this.maven.group());
		assertThat(this.gradle.version()).isEqualTo(this.maven.version());
	}

	@Test
	void bothCompileForTheSameJavaWithTheSameWarnings() {
		assertThat(this.gradle.release()).isEqualTo(this.maven.release());
		assertThat(this.gradle.lint()).isEqualTo(this.maven.lint());
	}

	@Test
	void bothStartTheSameMainClasses() {
		assertThat(this.gradle.mainClasses()).isEqualTo(this.maven.mainClasses()).isNotEmpty();
	}

	@Test
	void bothUseTheSameVersions() {
		assertThat(this.gradle.versions()).isEqualTo(this.maven.versions()).isNotEmpty();
	}

	@Test
	void bothTakeEachLibraryFromTheSameVersion() {
		assertThat(this.gradle.libraries()).isEqualTo(this.maven.libraries()).isNotEmpty();
	}

	@Test
	void bothImportTheSameDependencyManagement() {
		assertThat(this.gradle.platforms()).isEqualTo(this.maven.platforms()).isNotEmpty();
	}

	@Test
	void bothDeclareTheSameDependencies() {
		assertThat(this.gradle.dependencies()).containsOnlyKeys(this.maven.modules());
		this.maven.dependencies()
			.forEach((module, expected) -> assertThat(this.gradle.dependencies().get(module))
				.as("Gradle dependencies of " + module)
				.containsExactlyInAnyOrderElementsOf(expected));
	}

}
