package io.whizbang;

import java.time.Clock;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The folder listing is the architecture: which package may use which, and what is left
 * to a few classes.
 */
class ArchitectureTests {

	private static final String BASE = "io.whizbang";

	private static final String[] FEATURES = { "outbox", "inbox", "event", "perspective", "timer", "job", "fanout",
			"join", "queue", "lease" };

	private static final Set<String> SQL_TYPES = Set.of("java.sql.Statement", "java.sql.PreparedStatement",
			"java.sql.CallableStatement", "java.sql.ResultSet", "java.sql.Array");

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages(BASE);

	@Test
	void packagesFormNoCycles() {
		slices().matching(BASE + ".(*)..").should().beFreeOfCycles().check(CLASSES);
	}

	@Test
	void everyPackageUsesOnlyThoseItMay() {
		Map<String, Set<String>> arrows = arrows();
		assertThat(packages()).as("packages whose arrows are drawn here").isSubsetOf(arrows.keySet());
		arrows.forEach((name, allowed) -> {
			Set<String> forbidden = new TreeSet<>(arrows.keySet());
			forbidden.remove(name);
			forbidden.removeAll(allowed);
			noClasses().that()
				.resideInAPackage(BASE + "." + name + "..")
				.should()
				.dependOnClassesThat()
				.resideInAnyPackage(forbidden.stream().map((other) -> BASE + "." + other + "..").toArray(String[]::new))
				.allowEmptyShould(true)
				.check(CLASSES);
		});
	}

	/**
	 * A feature reaches another one only through the outbox, and tells what it does
	 * through observation. Whoever takes messages in may write dead letters. The worker
	 * runs features without knowing any: they come as a {@code WorkHandler}. Perspectives
	 * follow the events, and bring their own work to the worker's loop; so do jobs,
	 * leases, fan-outs and work queues. Jobs and fan-outs tell times by the same
	 * cadences, which know neither; a fan-out has one coordinator, which takes a lease,
	 * and its slices may be members of a join. Joins count on the worker's loop as well.
	 * What operators see and switch of all features together knows none of them: it sees
	 * queues and workers.
	 */
	private static Map<String, Set<String>> arrows() {
		Map<String, Set<String>> arrows = new LinkedHashMap<>();
		arrows.put("message", Set.of());
		arrows.put("work", Set.of("message"));
		arrows.put("handler", Set.of("message", "work"));
		arrows.put("coordinator", Set.of("message", "work"));
		arrows.put("letter", Set.of("message", "work", "coordinator"));
		arrows.put("transport", Set.of("message", "work", "handler", "letter"));
		for (String feature : FEATURES) {
			arrows.put(feature, Set.of("message", "work", "handler", "letter", "transport", "coordinator",
					"observation", "outbox"));
		}
		arrows.put("perspective",
				Set.of("message", "work", "handler", "letter", "coordinator", "observation", "event", "worker"));
		arrows.put("lease", Set.of("message", "work", "coordinator", "observation", "worker"));
		arrows.put("schedule", Set.of());
		arrows.put("job",
				Set.of("message", "work", "handler", "coordinator", "observation", "outbox", "worker", "schedule"));
		arrows.put("fanout", Set.of("message", "work", "handler", "coordinator", "observation", "outbox", "worker",
				"schedule", "lease", "join"));
		arrows.put("join", Set.of("message", "work", "coordinator", "observation", "outbox", "worker"));
		arrows.put("queue", Set.of("message", "work", "handler", "coordinator", "observation", "worker"));
		arrows.put("worker", Set.of("message", "work", "coordinator"));
		arrows.put("observation", Set.of("message", "work", "letter", "transport", "coordinator"));
		arrows.put("control", Set.of("message", "work", "letter", "coordinator", "worker"));
		arrows.put("schema", Set.of());
		return arrows;
	}

	private static Set<String> packages() {
		Set<String> names = new TreeSet<>();
		for (JavaClass type : CLASSES) {
			names.add(type.getPackageName().substring(BASE.length() + 1).split("\\.", 2)[0]);
		}
		return names;
	}

	@Test
	void nothingNeedsSpringBoot() {
		noClasses().should().dependOnClassesThat().resideInAPackage("org.springframework.boot..").check(CLASSES);
	}

	@Test
	void nobodyReadsTheWallClock() {
		noClasses().that()
			.doNotHaveSimpleName("TimeOrderedUuid")
			.should()
			.accessTargetWhere(DescribedPredicate.describe("the wall clock is read", ArchitectureTests::readsWallClock))
			.because("the database's clock decides what is due, and System.nanoTime() measures what is local")
			.check(CLASSES);
	}

	private static boolean readsWallClock(JavaAccess<?> access) {
		JavaClass owner = access.getTarget().getOwner();
		String name = access.getTarget().getName();
		return (owner.getPackageName().equals("java.time") && name.equals("now"))
				|| (owner.isEquivalentTo(Clock.class) && (name.startsWith("system") || name.startsWith("tick")))
				|| (owner.isEquivalentTo(System.class) && name.equals("currentTimeMillis"))
				|| (owner.isEquivalentTo(Date.class) && name.equals("<init>"));
	}

	/**
	 * Jdbc…, Postgres… and Schema… run SQL, …Rows read what comes back, and the
	 * WorkNotifier has nothing to say but NOTIFY. Others may carry a {@code DataSource}
	 * or a {@code Connection} around, and may look at an {@code SQLException}.
	 */
	@Test
	void onlyClassesThatSaySoTalkToTheDatabase() {
		noClasses().that()
			.doNotHaveSimpleName("WorkNotifier")
			.and()
			.haveNameNotMatching(".*\\.((Jdbc|Postgres|Schema)\\w*|\\w+Rows)(\\$.*)?")
			.and()
			.resideOutsideOfPackage(BASE + ".schema..")
			.should()
			.dependOnClassesThat(DescribedPredicate.describe("run SQL", ArchitectureTests::runsSql))
			.because("whoever looks for SQL should know where by the file's name")
			.check(CLASSES);
	}

	private static boolean runsSql(JavaClass type) {
		return SQL_TYPES.contains(type.getName()) || type.getPackageName().equals("org.postgresql")
				|| type.getPackageName().startsWith("org.springframework.jdbc.core");
	}

	@Test
	void everyPackageSaysThatNothingIsNull() {
		Set<String> unmarked = new TreeSet<>();
		for (JavaClass type : CLASSES) {
			JavaPackage itsPackage = type.getPackage();
			if (!itsPackage.isAnnotatedWith(NullMarked.class)) {
				unmarked.add(itsPackage.getName());
			}
		}
		assertThat(unmarked).as("packages without @NullMarked").isEmpty();
	}

	@Test
	void noNameIsAShrug() {
		noClasses().should()
			.haveNameMatching(".*(Utils?|Helper|Manager|Impl)")
			.orShould()
			.resideInAnyPackage("..util..", "..common..", "..impl..", "..helper..")
			.check(CLASSES);
	}

}
