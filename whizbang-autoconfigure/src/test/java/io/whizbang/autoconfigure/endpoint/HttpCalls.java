package io.whizbang.autoconfigure.endpoint;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * Calls an application over HTTP.
 */
public final class HttpCalls {

	private final HttpClient http = HttpClient.newHttpClient();

	private final ConfigurableApplicationContext context;

	/**
	 * Creates a client.
	 * @param context the application, which has started
	 */
	public HttpCalls(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/**
	 * Sends a request.
	 * @param method the method
	 * @param path what follows host and port
	 * @param headers the headers
	 * @param body the body, or nothing
	 * @return the answer
	 */
	public Answer send(String method, String path, Map<String, String> headers, String body) {
		String port = this.context.getEnvironment().getRequiredProperty("local.server.port");
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
			.method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
		headers.forEach(request::header);
		try {
			HttpResponse<String> response = this.http.send(request.build(), BodyHandlers.ofString());
			return new Answer(response.statusCode(), JsonMapper.shared().readTree(response.body()));
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException("No answer to " + method + " " + path, ex);
		}
	}

	/**
	 * What came back.
	 *
	 * @param status the status
	 * @param body the body
	 */
	public record Answer(int status, JsonNode body) {

		/**
		 * What is wrong, as the answer says.
		 * @return the error, empty when there is none
		 */
		public String error() {
			return this.body.path("error").asString();
		}

	}

}
