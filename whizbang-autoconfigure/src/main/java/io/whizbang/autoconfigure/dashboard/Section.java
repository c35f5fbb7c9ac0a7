package io.whizbang.autoconfigure.dashboard;

import java.security.Principal;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Leads requests below the page's path to the operations of one endpoint, as far as these
 * are permitted.
 */
final class Section {

	private static final int MAX_BODY = 16 * 1024;

	private static final TypeReference<Map<String, String>> TEXTS = new TypeReference<>() {
	};

	private final RouterFunctions.Builder routes;

	private final String path;

	private final String endpoint;

	private final Permissions permissions;

	Section(RouterFunctions.Builder routes, String path, String endpoint, Permissions permissions) {
		this.routes = routes;
		this.path = path + "/api/" + endpoint;
		this.endpoint = endpoint;
		this.permissions = permissions;
	}

	Section read(String pattern, Reading operation) {
		this.routes.GET(this.path + pattern,
				(request) -> this.permissions.mayRead(this.endpoint) ? Answers.of(operation.answer(new Call(request)))
						: Answers.problem(404, "The endpoint %s has no access".formatted(this.endpoint)));
		return this;
	}

	Section write(String pattern, Writing operation) {
		this.routes.POST(this.path + pattern, (request) -> change(request, operation));
		return this;
	}

	Section delete(String pattern, Writing operation) {
		this.routes.DELETE(this.path + pattern, (request) -> change(request, operation));
		return this;
	}

	private ServerResponse change(ServerRequest request, Writing operation) throws Exception {
		if (!this.permissions.mayWrite(this.endpoint)) {
			return Answers.problem(403,
					"Nothing can be changed here: set whizbang.dashboard.writable, and let management.endpoint.%s.access be unrestricted"
						.formatted(this.endpoint));
		}
		try {
			return Answers.of(operation.answer(new Call(request), texts(request)));
		}
		catch (JacksonException ex) {
			return Answers.problem(400, "The body must be a JSON object of texts: " + ex.getOriginalMessage());
		}
	}

	private static Map<String, String> texts(ServerRequest request) throws Exception {
		byte[] body = request.servletRequest().getInputStream().readNBytes(MAX_BODY);
		return (body.length == 0) ? Map.of() : JsonMapper.shared().readValue(body, TEXTS);
	}

	/** An operation that changes nothing. */
	@FunctionalInterface
	interface Reading {

		WebEndpointResponse<?> answer(Call call);

	}

	/** An operation that changes something. */
	@FunctionalInterface
	interface Writing {

		WebEndpointResponse<?> answer(Call call, Map<String, String> body);

	}

	/**
	 * What was asked for, and by whom.
	 *
	 * @param request the request
	 */
	record Call(ServerRequest request) implements SecurityContext {

		String in(String variable) {
			return this.request.pathVariable(variable);
		}

		@Nullable String parameter(String name) {
			return this.request.param(name).filter((value) -> !value.isBlank()).orElse(null);
		}

		@Override
		public @Nullable Principal getPrincipal() {
			return this.request.principal().orElse(null);
		}

		@Override
		public boolean isUserInRole(String role) {
			return this.request.servletRequest().isUserInRole(role);
		}

	}

}
