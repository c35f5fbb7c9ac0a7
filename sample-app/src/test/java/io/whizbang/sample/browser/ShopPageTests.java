package io.whizbang.sample.browser;

import java.io.IOException;
import java.time.Duration;

import io.whizbang.sample.RunningShop;
import io.whizbang.test.PostgresDatabase;
import io.whizbang.test.PostgresTest;
import io.whizbang.test.browser.Chromium;
import io.whizbang.test.browser.DevTools;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page of the shop in a browser, while two instances share the work.
 */
@PostgresTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ShopPageTests {

	private static final String SCRIPT = "<script>window.hacked=1</script><img src=x onerror='window.hacked=1'>";

	private static final Duration LONG = Duration.ofMinutes(3);

	private static RunningShop left;

	private static RunningShop right;

	private static Chromium chromium;

	private final DevTools browser = chromium.tools();

	@BeforeAll
	static void start(PostgresDatabase database) throws IOException {
		chromium = Chromium.startOrSkip("THE PAGE OF THE SHOP IS");
		left = new RunningShop(database, "shop.instance=left");
		right = new RunningShop(database, "shop.instance=right");
	}

	@AfterAll
	static void stop() throws IOException {
		if (chromium != null) {
			chromium.close();
		}
		if (right != null) {
			right.close();
		}
		if (left != null) {
			left.close();
		}
	}

	/** What is marked is gone when somebody loads the page again. */
	@BeforeEach
	void open() {
		this.browser.open("about:blank");
		this.browser.await("location.href === 'about:blank'");
		this.browser.open(left.address() + "/");
		this.browser.await("document.querySelector('#served')?.innerText === 'served by left'");
		this.browser.await("document.querySelectorAll('#models li').length === 2");
		this.browser.evaluate("window.loadedOnce = true");
	}

	@AfterEach
	void wasNotLoadedAgain() {
		if (this.browser.evaluate("location.pathname").asString().equals("/")) {
			assertThat(this.browser.evaluate("window.loadedOnce").asBoolean()).isTrue();
		}
	}

	@Test
	@Order(1)
	void showsAnOrderGoingThrough() throws IOException {
		this.browser.picture("shop-empty");
		order("ada", "Order a book");
		awaitOrder("ada", "CONFIRMED");
		assertThat(text("ada", "placed")).isEqualTo("placed left");
		assertThat(text("ada", "payment")).matches("paid (left|right)");
		assertThat(text("ada", "end")).matches("confirmed after .* (left|right)");
		this.browser.await("document.querySelector('#station-confirmed b').innerText === '1'");
		this.browser.await("document.querySelector('#sales').innerText.includes('10.00')");
		this.browser.await("document.querySelector('#members').innerText === '2 instances'");
	}

	@Test
	@Order(2)
	void showsWhatHappensElsewhere() {
		right.place("yacht", "250000.0");
		awaitOrder("c-1", "DECLINED");
		assertThat(text("c-1", "placed")).isEqualTo("placed right");
		assertThat(text("c-1", "end")).startsWith("declined");
	}

	@Test
	@Order(3)
	void showsTheAttemptsOfAPaymentThatFails() {
		order("grace", "Make a payment fail");
		awaitOrder("grace", "CONFIRMED");
		assertThat(text("grace", "payment")).matches("paid 4 attempts (left|right)");
	}

	@Test
	@Order(4)
	void showsAScriptAsText() {
		order(SCRIPT, "Order a book");
		awaitOrder(SCRIPT, "CONFIRMED");
		assertThat(this.browser.evaluate("document.querySelectorAll('main script, main img').length").asInt()).isZero();
		assertThat(this.browser.evaluate("typeof window.hacked").asString()).isEqualTo("undefined");
	}

	@Test
	@Order(5)
	void leadsToTheDeadLetterAndReplaysIt() throws IOException {
		order("eve", "Poison");
		awaitOrder("eve", "DEAD");
		assertThat(text("eve", "payment")).matches("dead letter 5 attempts (left|right)");
		this.browser.await("%s.querySelector('.deadline')?.innerText.startsWith('cancelled in')".formatted(row("eve")));
		this.browser.await("document.querySelector('#station-dead b').innerText === '1'");
		this.browser.picture("shop-dead");
		String link = this.browser.evaluate(row("eve") + ".querySelector('.actions a').href").asString();
		assertThat(link).startsWith(left.address() + "/whizbang/#/letters/");

		this.browser.click("header", "Dead letters");
		this.browser.await("document.querySelector('main h1')?.innerText === 'Dead letters'");
		this.browser.open(link);
		this.browser
			.await("document.querySelector('#error')?.innerText.includes('The card network answers in tongues')");

		open();
		awaitOrder("eve", "DEAD");
		this.browser.click(".panel-head", "Repair the card network");
		this.browser.await("document.querySelector('#network').innerText === 'Break the card network again'");
		this.browser.click("[data-state=DEAD]", "Replay");
		awaitOrder("eve", "CONFIRMED");
		assertThat(text("eve", "payment")).startsWith("paid 6 attempts");
	}

	@Test
	@Order(6)
	void canBeUsedWithTheKeyboard() {
		this.browser.evaluate("document.querySelector('#customer').value = 'linus'");
		this.browser.evaluate("document.querySelector('#customer').focus()");
		this.browser.key("Tab");
		this.browser.await("document.activeElement.innerText === 'Order a book'");
		this.browser.key("Enter");
		awaitOrder("linus", "CONFIRMED");
		this.browser.await("document.activeElement.innerText === 'Order a book'");
		this.browser.evaluate(row("linus") + ".querySelector('.actions button').focus()");
		this.browser.key("Enter");
		awaitOrder("linus", "CANCELLED");
		assertThat(text("linus", "end")).isEqualTo("cancelled by the customer");
	}

	@Test
	@Order(7)
	void saysWhatIsWrongWithAnOrder() {
		order("", "Order a book");
		this.browser.await("document.querySelector('#said').innerText === 'customerId must not be blank'");
	}

	@Test
	@Order(8)
	void bothInstancesShareABurst() throws IOException {
		order("alan", "Burst of 1,000 orders");
		this.browser.await("document.querySelector('#said').innerText.includes('on their way')");
		this.browser.picture("shop-burst");
		this.browser.await("document.querySelector('#said').innerText.startsWith('All 1,000 orders are through')",
				LONG);
		this.browser.await("document.querySelectorAll('#grid .done').length === 1000", LONG);
		this.browser.await("document.querySelector('#station-confirmed b').innerText === '1,000'");
		for (String instance : new String[] { "left", "right" }) {
			String share = "[data-instance=%s][data-share=confirmed]".formatted(instance);
			assertThat(this.browser.evaluate("Number(document.querySelector('%s').style.flexGrow)".formatted(share))
				.asInt()).as(instance).isPositive();
		}
		this.browser.picture("shop-shared");
	}

	@Test
	@Order(9)
	void buildsAReadModelAnew() {
		this.browser.await("document.querySelector('#model-sales-per-day [role=progressbar]').ariaValueNow === '100'",
				LONG);
		String before = this.browser.text("#sales");
		this.browser.click("#model-sales-per-day", "Rebuild");
		this.browser
			.await("document.querySelector('#said').innerText === 'sales-per-day is built anew from the events.'");
		this.browser.await("document.querySelector('#model-sales-per-day').innerText.includes('run 2')");
		this.browser.await("document.querySelector('#model-sales-per-day button').innerText === 'Rebuild'", LONG);
		assertThat(this.browser.text("#sales")).isEqualTo(before);
	}

	private void order(String customer, String button) {
		this.browser.evaluate("document.querySelector('#customer').value = " + quoted(customer));
		this.browser.click("#buttons", button);
	}

	private void awaitOrder(String customer, String state) {
		this.browser.await("%s?.dataset.state === '%s'".formatted(row(customer), state));
	}

	private String text(String customer, String step) {
		return this.browser.evaluate("%s.querySelector('[data-step=%s]').innerText".formatted(row(customer), step))
			.asString()
			.replaceAll("\\s+", " ");
	}

	/** The newest order of a customer. */
	private static String row(String customer) {
		return "[...document.querySelectorAll('.order')].find((e) => e.querySelector('.customer').innerText === %s)"
			.formatted(quoted(customer));
	}

	private static String quoted(String text) {
		return JsonMapper.shared().writeValueAsString(text);
	}

}
