package io.whizbang.autoconfigure.dashboard;

import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Writes answers, all with the headers that keep a page safe. The application's own
 * converters are left aside: how it writes JSON is its business, and the page needs it
 * just so.
 */
final class Answers {

	/** Nothing but the page's own files; nobody may frame it, or send it elsewhere. */
	private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
			+ "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

	private static final JsonMapper JSON = JsonMapper.shared();

	private Answers() {
	}

	static ServerResponse of(WebEndpointResponse<?> response) {
		Object body = response.getBody();
		return (body != null) ? json(response.getStatus(), body)
				: builder(response.getStatus(), MediaType.APPLICATION_JSON).build();
	}

	static ServerResponse json(int status, Object body) {
		return bytes(status, MediaType.APPLICATION_JSON, JSON.writeValueAsBytes(body));
	}

	static ServerResponse problem(int status, String error) {
		return json(status, new Refusal(error));
	}

	static ServerResponse bytes(int status, MediaType type, byte[] content) {
		return builder(status, type).build((request, response) -> {
			response.setContentLength(content.length);
			response.getOutputStream().write(content);
			return null;
		});
	}

	private static ServerResponse.BodyBuilder builder(int status, MediaType type) {
		return ServerResponse.status(status)
			.contentType(type)
			.header(HttpHeaders.CACHE_CONTROL, "no-store")
			.header("Content-Security-Policy", POLICY)
			.header("X-Content-Type-Options", "nosniff")
			.header("Referrer-Policy", "no-referrer");
	}

	/**
	 * Why nothing was done.
	 *
	 * @param error what, which, and what to do
	 */
	record Refusal(String error) {
	}

}
