package io.whizbang.sample.browser;

import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.Statement;

import io.whizbang.sample.RunningShop;
import io.whizbang.test.Await;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.browser.Chromium;
import io.whizbang.test.browser.DevTools;
import io.whizbang.work.Queue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The dashboard in a browser, on a shop that works.
 */
@PostgresTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DashboardTests {

	private static final String SCRIPT = "<script>window.hacked = true</script><img src=x onerror=\"window.hacked = true\">";

	private static final String VIEWS = "blocked letters letters/1 perspectives jobs jobs/nightly-report instances more overview";

	/** Orders that cost as much are those whose summaries a test has to do with. */
	private static final String PRICE = "66.6";

	private static final int LOCK = 4711;

	private static PostgresDatabase database;

	private static RunningShop shop;

	private static Chromium chromium;

	private final DevTools browser = chromium.tools();

	@BeforeAll
	static void start(PostgresDatabase postgres) throws IOException {
		database = postgres;
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
	void fitsAPhoneAndCanBeUsedThereWithoutAMouse() {
		for (String view : VIEWS.split(" ")) {
			open("#/" + view);
			this.browser.look(390, 844, false);
			assertThat(this.browser.evaluate("document.documentElement.scrollWidth").asInt()).as(view)
				.isLessThanOrEqualTo(390);
			assertThat(this.browser
				.evaluate(
						"""
								[...document.querySelectorAll('main button, main select, main input, .status button')].filter((e) => {
									const box = e.getBoundingClientRect();
									return box.width === 0 || box.left < 0 || box.right > 390;
								}).map((e) => e.innerText).join()""")
				.asString()).as(view).isEmpty();
		}
		open("#/letters");
		tabTo("More");
		assertThat(this.browser.evaluate("document.activeElement.getBoundingClientRect().right").asInt())
			.isLessThanOrEqualTo(390);
		tabTo("Discard");
		this.browser.key("Enter");
		this.browser.await("document.querySelector('#dialog').open");
		assertThat(this.browser.evaluate("document.querySelector('#dialog').getBoundingClientRect().right").asInt())
			.isLessThanOrEqualTo(390);
		this.browser.key("Escape");
		this.browser.await("!document.querySelector('#dialog').open");
		assertThat(letters()).isEqualTo(1);
		this.browser.look(1280, 900, false);
	}

	@Test
	@Order(4)
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
	@Order(5)
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
	@Order(6)
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
	@Order(7)
	void everyViewHasSomethingToShow() throws IOException {
		for (String view : new String[] { "perspectives", "jobs", "instances", "more" }) {
			open("#/" + view);
			this.browser.await("document.querySelectorAll('main table tbody tr').length > 0");
			assertThat(this.browser.text("#alert")).as(view).isEmpty();
			this.browser.picture(view);
		}
	}

	@Test
	@Order(8)
	void discardsADeadLetterOnlyWhenItIsConfirmed() {
		shop.delete(URI.create(shop.address() + "/payments/repair")).expectStatus().isNoContent();
		shop.place("poison", "1.0");
		open("#/letters");
		this.browser.await("document.querySelectorAll('tbody tr').length === 1");
		this.browser.click("tbody tr", "Discard");
		this.browser.await("document.querySelector('#dialog').open");
		this.browser.click("#dialog", "Cancel");
		this.browser.await("!document.querySelector('#dialog').open");
		assertThat(letters()).isEqualTo(1);
		this.browser.click("tbody tr", "Discard");
		this.browser.click("#dialog", "Discard");
		awaitNote("was discarded");
		this.browser.await("document.querySelector('main').innerText.includes('There are no dead letters')");
		assertThat(letters()).isZero();
	}

	@Test
	@Order(9)
	void showsHowFarARebuildIs() throws Exception {
		breakSummaries("perform pg_advisory_xact_lock(%d)".formatted(LOCK));
		shop.place("book", PRICE);
		String bar = "document.querySelector('[aria-label=\"Progress of order-summary, run 1\"]')";
		String full = "%1$s?.ariaValueNow === '100' && %1$s.firstChild.offsetWidth === %1$s.offsetWidth".formatted(bar);
		open("#/perspectives");
		this.browser.await(full);
		try (Connection connection = database.unpooledDataSource().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute("select pg_advisory_lock(%d)".formatted(LOCK));
			this.browser.click("main tbody tr", "Rebuild");
			this.browser.click("#dialog", "Rebuild");
			awaitNote("is built anew");
			this.browser.await("%1$s?.ariaValueNow < 100 && %1$s.offsetWidth > 0".formatted(bar));
			assertThat(
					this.browser.evaluate("%1$s.firstChild.offsetWidth < %1$s.offsetWidth".formatted(bar)).asBoolean())
				.isTrue();
			this.browser.picture("rebuild");
		}
		this.browser.await(full);
		mendSummaries();
	}

	@Test
	@Order(10)
	void mendsAStreamThatHasStopped() throws IOException {
		breakSummaries("raise exception 'It cannot be written'");
		URI healed = shop.place("book", PRICE);
		open("#/perspectives");
		this.browser.await("document.querySelector('main').innerText.includes('It cannot be written')");
		this.browser.picture("stopped");
		mendSummaries();
		this.browser.click("main", "Try again");
		this.browser.click("#dialog", "Try again");
		this.browser.await("!document.querySelector('main').innerText.includes('Streams that have stopped')");
		shop.awaitConfirmation(healed, 1);

		breakSummaries("raise exception 'It cannot be written'");
		shop.place("book", PRICE);
		this.browser.click("main", "Skip event 1");
		this.browser.await("document.querySelector('#dialog').innerText.includes('will never apply event 1')");
		this.browser.click("#dialog", "Skip it");
		awaitNote("goes on without event 1");
		assertThat(database.jdbc()
			.queryForObject("select count(*) from whizbang.wh_perspective_checkpoints where skipped is not null",
					Integer.class))
			.isEqualTo(1);
		mendSummaries();
	}

	@Test
	@Order(11)
	void leafsThroughBlockedStreamsAndSaysWhenNobodyAnswers() {
		shop.post("/actuator/whizbang/workers/inbox/pause").expectStatus().isOk();
		Await.untilAsserted(() -> shop.get("/actuator/whizbang/workers")
			.expectBody()
			.jsonPath("$.workers[?(@.name == 'inbox')].state")
			.isEqualTo("paused"));
		shop.burst(51, "book");
		Await.until("51 orders wait",
				() -> database.jdbc()
					.update("""
							update whizbang.wh_messages
							set status = 1, attempts = 1, error = 'io.shop.LateException: no', scheduled_for = now() + interval '1 hour'
							where queue = ? and status < 2""",
							Queue.INBOX.number()) == 51);
		open("#/blocked");
		this.browser.await("document.querySelectorAll('tbody tr').length === 50");
		assertThat(this.browser.text("tbody tr .error")).isEqualTo("LateException: no");
		this.browser.click("main", "More of the inbox");
		this.browser.await("document.querySelectorAll('tbody tr').length === 1");
		this.browser.click("main", "First page");
		this.browser.await("document.querySelectorAll('tbody tr').length === 50");
		this.browser.evaluate("window.fetch = () => Promise.reject(new TypeError('gone'))");
		awaitNote("does not answer");
		assertThat(this.browser.text("#live")).startsWith("no answer since");
		assertThat(this.browser.evaluate("document.querySelectorAll('tbody tr').length").asInt()).isEqualTo(50);
	}

	private void awaitNote(String text) {
		this.browser.await("document.querySelector('#alert').innerText.includes('%s')".formatted(text));
	}

	private void tabTo(String label) {
		Await.until("the key Tab leads to " + label, () -> {
			this.browser.key("Tab");
			return this.browser.evaluate("document.activeElement.innerText").asString("").equals(label);
		});
	}

	private static int letters() {
		JsonNode body = shop.get("/actuator/whizbangdeadletters")
			.expectBody(JsonNode.class)
			.returnResult()
			.getResponseBody();
		assertThat(body).isNotNull();
		return body.get("letters").size();
	}

	private static void breakSummaries(String statement) {
		database.jdbc()
			.execute("""
					create function summaries() returns trigger language plpgsql as
					$$ begin if new.total = %s then %s; end if; return new; end $$;
					create trigger summaries before insert on order_summary for each row execute function summaries()"""
				.formatted(PRICE, statement));
	}

	private static void mendSummaries() {
		database.jdbc().execute("drop function summaries() cascade");
	}

	private void open(String hash) {
		this.browser.open("about:blank");
		this.browser.await("location.href === 'about:blank'");
		this.browser.open(shop.address() + "/whizbang/" + hash);
		this.browser.await("document.querySelector('main h1')");
	}

}
