package io.whizbang.test.browser;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.whizbang.test.Await;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A page of a browser, driven over the DevTools protocol.
 */
public final class DevTools implements WebSocket.Listener, AutoCloseable {

	private static final JsonMapper JSON = JsonMapper.shared();

	private static final int SECONDS = 60;

	private static final Map<String, Integer> KEYS = Map.of("Tab", 9, "Enter", 13, "Escape", 27);

	private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();

	private final AtomicInteger numbers = new AtomicInteger();

	private final StringBuilder text = new StringBuilder();

	private final WebSocket socket;

	private @Nullable String page;

	DevTools(String address) {
		this.socket = HttpClient.newHttpClient()
			.newWebSocketBuilder()
			.buildAsync(URI.create(address), this)
			.orTimeout(SECONDS, TimeUnit.SECONDS)
			.join();
		String target = call("Target.createTarget", Map.of("url", "about:blank")).get("targetId").stringValue();
		this.page = call("Target.attachToTarget", Map.of("targetId", target, "flatten", true)).get("sessionId")
			.stringValue();
		call("Page.enable", Map.of());
		call("Runtime.enable", Map.of());
	}

	/**
	 * Goes to a page.
	 * @param url its address
	 */
	public void open(String url) {
		call("Page.navigate", Map.of("url", url));
	}

	/**
	 * Waits until an expression is true.
	 * @param expression the expression, in JavaScript
	 */
	public void await(String expression) {
		await(expression, Await.PATIENCE);
	}

	/**
	 * Waits until an expression is true.
	 * @param expression the expression, in JavaScript
	 * @param patience how long at most
	 */
	public void await(String expression, Duration patience) {
		Await.until(() -> expression, patience, () -> evaluate("Boolean(" + expression + ")").asBoolean());
	}

	/**
	 * Evaluates an expression.
	 * @param expression the expression, in JavaScript; what it promises is waited for
	 * @return its value
	 */
	public JsonNode evaluate(String expression) {
		JsonNode answer = call("Runtime.evaluate",
				Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
		if (answer.has("exceptionDetails")) {
			throw new IllegalStateException("%s: %s".formatted(expression, answer.get("exceptionDetails")));
		}
		return answer.get("result").path("value");
	}

	/**
	 * Reads what somebody sees.
	 * @param selector of an element
	 * @return its text, empty where there is no such element
	 */
	public String text(String selector) {
		return evaluate("document.querySelector(%s)?.innerText ?? ''".formatted(quoted(selector))).asString();
	}

	/**
	 * Clicks a button or a link, when it is there.
	 * @param within selector of an element that it is in
	 * @param label what it says
	 */
	public void click(String within, String label) {
		String find = "[...document.querySelector(%s).querySelectorAll('button, a')].find((e) => e.innerText.trim() === %s)"
			.formatted(quoted(within), quoted(label));
		await("document.querySelector(%s) && %s".formatted(quoted(within), find));
		evaluate(find + ".click()");
	}

	/**
	 * Presses and releases a key.
	 * @param key Tab, Enter or Escape
	 */
	public void key(String key) {
		for (String type : new String[] { "keyDown", "keyUp" }) {
			call("Input.dispatchKeyEvent",
					Map.of("type", type, "key", key, "code", key, "windowsVirtualKeyCode",
							Objects.requireNonNull(KEYS.get(key), key), "text",
							(key.equals("Enter") && type.equals("keyDown")) ? "\r" : ""));
		}
	}

	/**
	 * Changes how large the page is, and its colours.
	 * @param width its width; less than 600 is a phone
	 * @param height its height
	 * @param dark whether somebody likes it dark
	 */
	public void look(int width, int height, boolean dark) {
		call("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
		call("Emulation.setEmulatedMedia", Map.of("features",
				new Object[] { Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light") }));
	}

	/**
	 * For people who want to see what it looks like, wide and narrow, light and dark:
	 * leaves pictures in the folder {@code -Dwhizbang.test.screenshots}, if that is set.
	 * @param name how their names begin
	 * @throws IOException if they cannot be written
	 */
	public void picture(String name) throws IOException {
		String folder = System.getProperty("whizbang.test.screenshots");
		if (folder == null) {
			return;
		}
		Files.createDirectories(Path.of(folder));
		for (boolean dark : new boolean[] { false, true }) {
			for (int width : new int[] { 1280, 390 }) {
				look(width, 900, dark);
				evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
				Files.write(Path.of(folder, "%s-%s-%d.png".formatted(name, dark ? "dark" : "light", width)),
						screenshot());
			}
		}
		look(1280, 900, false);
	}

	private byte[] screenshot() {
		return Base64.getDecoder()
			.decode(call("Page.captureScreenshot", Map.of("format", "png")).get("data").stringValue());
	}

	private static String quoted(String text) {
		return JSON.writeValueAsString(text);
	}

	private JsonNode call(String method, Map<String, Object> parameters) {
		int number = this.numbers.incrementAndGet();
		CompletableFuture<JsonNode> answer = new CompletableFuture<>();
		this.answers.put(number, answer);
		Map<String, Object> message = new HashMap<>(Map.of("id", number, "method", method, "params", parameters));
		if (this.page != null) {
			message.put("sessionId", this.page);
		}
		this.socket.sendText(JSON.writeValueAsString(message), true).join();
		JsonNode body = answer.orTimeout(SECONDS, TimeUnit.SECONDS).join();
		if (body.has("error")) {
			throw new IllegalStateException(method + ": " + body.get("error"));
		}
		return body.get("result");
	}

	@Override
	public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
		this.text.append(data);
		if (last) {
			JsonNode message = JSON.readTree(this.text.toString());
			this.text.setLength(0);
			CompletableFuture<JsonNode> answer = message.has("id") ? this.answers.remove(message.get("id").intValue())
					: null;
			if (answer != null) {
				answer.complete(message);
			}
		}
		socket.request(1);
		return null;
	}

	@Override
	public void close() {
		this.socket.abort();
	}

}
