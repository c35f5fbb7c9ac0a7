package io.whizbang.autoconfigure.dashboard;

import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Lets in who may come in. Where there is Spring Security, that is nobody who has not
 * logged in, whatever the application's filter chains let pass. What changes something
 * must have a header that no other site can send without being asked first; Spring
 * Security's own protection comes on top.
 */
final class DashboardGate implements HandlerFilterFunction<ServerResponse, ServerResponse> {

	/** The page sends it with whatever changes something. */
	static final String HEADER = "X-Whizbang-Dashboard";

	private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD);

	private final boolean loginNeeded;

	private final @Nullable String role;

	DashboardGate(boolean loginNeeded, @Nullable String role) {
		this.loginNeeded = loginNeeded;
		this.role = role;
	}

	@Override
	public ServerResponse filter(ServerRequest request, HandlerFunction<ServerResponse> next) throws Exception {
		boolean loggedIn = request.principal().isPresent();
		if (!loggedIn && (this.loginNeeded || this.role != null)) {
			return Answers.problem(401, "The dashboard is for users who have logged in");
		}
		if (this.role != null && !request.servletRequest().isUserInRole(this.role)) {
			return Answers.problem(403, "The dashboard is for users with the role %s".formatted(this.role));
		}
		if (!READING.contains(request.method()) && request.headers().firstHeader(HEADER) == null) {
			return Answers.problem(403, "The header %s is missing".formatted(HEADER));
		}
		return next.handle(request);
	}

}
