package io.whizbang.autoconfigure.dashboard;

import java.io.IOException;

import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.browser.Chromium;
import io.whizbang.test.browser.DevTools;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The dashboard in a browser, where people log in with a form.
 */
@PostgresTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DashboardLoginTests {

	private static final String LETTERS = "document.querySelectorAll('tbody tr').length";

	private static SecuredApplication application;

	private static Chromium chromium;

	private final DevTools browser = chromium.tools();

	@BeforeAll
	static void start(PostgresDatabase database) throws IOException {
		chromium = Chromium.startOrSkip("LOGGING IN TO THE DASHBOARD IS");
		application = new SecuredApplication(database, "whizbang.dashboard.writable=true",
				"whizbang.outbox.retry.max-attempts=1");
		application.enqueue("poison");
	}

	@AfterAll
	static void stop() throws IOException {
		if (chromium != null) {
			chromium.close();
		}
		if (application != null) {
			application.close();
		}
	}

	@Test
	@Order(1)
	void asksWhoeverComesToLogIn() {
		this.browser.open(application.address() + "/whizbang/");
		this.browser.await("location.pathname === '/login' && document.querySelector('input[name=password]')");
		assertThat(this.browser.evaluate("document.querySelector('#nav')").isNull()).isTrue();
		assertThat(status("GET", "{ 'X-Requested-With': 'XMLHttpRequest' }")).isEqualTo(401);
	}

	@Test
	@Order(2)
	void letsThemInAndSaysWhoTheyAre() {
		this.browser.evaluate("document.querySelector('input[name=username]').value = 'ada'");
		this.browser.evaluate("document.querySelector('input[name=password]').value = 'secret'");
		this.browser.evaluate("document.querySelector('form button').click()");
		this.browser.await("document.querySelector('#service')?.innerText.endsWith('ada')");
		assertThat(this.browser.evaluate("location.pathname").asString()).isEqualTo("/whizbang/");
		this.browser.click("#nav", "Dead letters");
		this.browser.await(LETTERS + " === 1");
	}

	@Test
	@Order(3)
	void refusesAReplayThatHasNotTheToken() {
		application.repair();
		assertThat(status("POST", "{ 'Content-Type': 'application/json', 'X-Whizbang-Dashboard': '1' }"))
			.isEqualTo(403);
		assertThat(status("GET", "{}")).isEqualTo(200);
	}

	@Test
	@Order(4)
	void replaysWithTheToken() {
		this.browser.click("tbody tr", "Replay");
		this.browser.click("#dialog", "Replay");
		this.browser.await("document.querySelector('#alert').innerText.includes('was replayed')");
		this.browser.await("document.querySelector('main').innerText.includes('There are no dead letters')");
	}

	@Test
	@Order(5)
	void saysWhenTheyAreNotLoggedInAnyMore() {
		this.browser.evaluate("""
				fetch('/whizbang/api/session').then((answer) => answer.json())
					.then(({ csrf }) => fetch('/logout', { method: 'POST', headers: { [csrf.header]: csrf.token } }))
					.then(() => true)""");
		this.browser.await("document.querySelector('#alert').innerText.includes('not logged in any more')");
	}

	/** How the application answers to the browser about the first letter. */
	private int status(String method, String headers) {
		return this.browser
			.evaluate("fetch('/whizbang/api/whizbangdeadletters/1', { method: '%s', headers: %s })".formatted(method,
					headers) + ".then((answer) => answer.status)")
			.asInt();
	}

}
