package io.whizbang.sample.browser;

import java.io.IOException;

import io.whizbang.sample.RunningShop;
import io.whizbang.test.Await;
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
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The dashboard in a browser, on a shop that works.
 */
@PostgresTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DashboardTests {

	private static final String SCRIPT = "<script>window.hacked = true</script><img src=x onerror=\"window.hacked = true\">";

	private static RunningShop shop;

	private static Chromium chromium;

	private final DevTools browser = chromium.tools();

	@BeforeAll
	static void start(PostgresDatabase database) throws IOException {
		chromium = Chromium.startOrSkip("THE DASHBOARD IS");
		shop = new RunningShop(database);
	}

	@AfterAll
	static void stop() throws IOException {
		if (chromium != null) {
			chromium.close();
		}
		if (shop != null) {
			shop.close();
		}
	}

	@Test
	@Order(1)
	void overviewChangesWhileOrdersRun() throws IOException {
		open("#/overview");
		this.browser.await("document.querySelector('#feature-outbox [data-value=rate]')?.innerText === '0.0'");
		for (int i = 0; i < 40; i++) {
			shop.place("book", "10.0");
		}
		this.browser.await("Number(document.querySelector('#feature-outbox [data-value=rate]').innerText) > 0");
		this.browser.await("Number(document.querySelector('#feature-inbox [data-value=rate]').innerText) > 0");
		assertThat(this.browser.text("#nav")).contains("Overview", "Dead letters", "Jobs");
		this.browser.picture("overview");
	}

	@Test
	@Order(2)
	void showsWhatIsDeadAsText() throws IOException {
		shop.order("""
				{"sku":"poison","quantity":1,"price":1.0},{"sku":%s,"quantity":1,"price":1.0}"""
			.formatted(JsonMapper.shared().writeValueAsString(SCRIPT)));
		open("#/blocked");
		this.browser.picture("blocked");
		open("#/letters");
		this.browser.await("document.querySelectorAll('tbody tr').length === 1");
		this.browser.picture("letters");
		this.browser.evaluate("document.querySelector('tbody a').click()");
		this.browser.await("document.querySelector('#payload')");
		assertThat(this.browser.text("#payload")).contains("<script>window.hacked = true</script>")
			.contains("<img src=x");
		assertThat(this.browser.text("#error")).contains("The card network answers in tongues");
		assertThat(this.browser.evaluate("document.querySelectorAll('main script, main img').length").asInt()).isZero();
		assertThat(this.browser.evaluate("typeof window.hacked").asString()).isEqualTo("undefined");
		this.browser.picture("letter");
	}

	@Test
	@Order(3)
	void replaysADeadLetterWhenItIsConfirmed() throws IOException {
		shop.post("/payments/repair").expectStatus().isNoContent();
		open("#/letters");
		this.browser.click("tbody tr", "Replay");
		this.browser.await("document.querySelector('#dialog').open");
		this.browser.picture("replay");
		// Asked again before the page has heard that the first question was closed.
		this.browser.evaluate("""
				document.querySelector('#dialog-cancel').click();
				[...document.querySelectorAll('tbody tr button')].find((it) => it.textContent === 'Replay').click()""");
		assertThat(this.browser.evaluate("document.querySelectorAll('tbody tr').length").asInt()).isEqualTo(1);
		this.browser.await("document.querySelector('#dialog').open");
		this.browser.click("#dialog", "Replay");
		this.browser.await("document.querySelector('#alert').innerText.includes('was replayed')");
		this.browser.await("document.querySelectorAll('tbody tr').length === 0");
		this.browser.await("document.querySelector('main').innerText.includes('There are no dead letters')");
		Await.untilAsserted(() -> assertThat(shop.orders()).isNotEmpty().allMatch("CONFIRMED"::equals));
	}

	@Test
	@Order(4)
	void pausesAndResumesAWorker() throws IOException {
		open("#/overview");
		this.browser.click("#feature-inbox", "Pause");
		this.browser.click("#dialog", "Pause");
		this.browser.await("document.querySelector('#feature-inbox').innerText.includes('Paused by')");
		this.browser.picture("paused");
		this.browser.click("#feature-inbox", "Resume");
		this.browser.click("#dialog", "Resume");
		this.browser.await("document.querySelector('#feature-inbox').innerText.includes('running')");
	}

	@Test
	@Order(5)
	void canBeUsedWithTheKeyboard() {
		open("#/overview");
		this.browser.evaluate("document.querySelector('#nav a[href=\"#/jobs\"]').focus()");
		this.browser.key("Enter");
		this.browser.await("document.querySelector('main h1')?.innerText === 'Jobs'");
		this.browser.await("[...document.querySelectorAll('main button')].some((e) => e.innerText === 'Run now')");
		this.browser
			.evaluate("[...document.querySelectorAll('main button')].find((e) => e.innerText === 'Run now').focus()");
		this.browser.key("Enter");
		this.browser.await("document.querySelector('#dialog').open && document.activeElement.id === 'dialog-cancel'");
		this.browser.key("Tab");
		this.browser.await("document.activeElement.id === 'dialog-confirm'");
		this.browser.key("Enter");
		this.browser.await("document.querySelector('#alert').innerText.includes('was triggered')");
	}

	/** What is not a view's business is tested by its endpoint. */
	@Test
	@Order(6)
	void everyViewHasSomethingToShow() throws IOException {
		for (String view : new String[] { "perspectives", "jobs", "instances", "more" }) {
			open("#/" + view);
			this.browser.await("document.querySelectorAll('main table tbody tr').length > 0");
			assertThat(this.browser.text("#alert")).as(view).isEmpty();
			this.browser.picture(view);
		}
	}

	private void open(String hash) {
		this.browser.open("about:blank");
		this.browser.await("location.href === 'about:blank'");
		this.browser.open(shop.address() + "/whizbang/" + hash);
		this.browser.await("document.querySelector('main h1')");
	}

}
