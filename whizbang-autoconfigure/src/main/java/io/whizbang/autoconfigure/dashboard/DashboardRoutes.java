package io.whizbang.autoconfigure.dashboard;

import java.net.URI;
import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import io.whizbang.autoconfigure.endpoint.DeadLettersEndpoint;
import io.whizbang.autoconfigure.endpoint.FanoutsEndpoint;
import io.whizbang.autoconfigure.endpoint.JobsEndpoint;
import io.whizbang.autoconfigure.endpoint.JoinsEndpoint;
import io.whizbang.autoconfigure.endpoint.LeasesEndpoint;
import io.whizbang.autoconfigure.endpoint.PerspectivesEndpoint;
import io.whizbang.autoconfigure.endpoint.QueuesEndpoint;
import io.whizbang.autoconfigure.endpoint.TimersEndpoint;
import io.whizbang.autoconfigure.endpoint.WhizbangEndpoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Everything that is served below the page's path: its files, and the operations of the
 * endpoints, called as they are. It does not matter whether these are exposed, nor on
 * which port.
 */
final class DashboardRoutes {

	private static final Logger logger = LoggerFactory.getLogger(DashboardRoutes.class);

	private final RouterFunctions.Builder routes = RouterFunctions.route();

	private final Set<String> endpoints = new LinkedHashSet<>();

	private final String path;

	private final String service;

	private final Permissions permissions;

	private final CsrfSource csrf;

	DashboardRoutes(String path, String service, Permissions permissions, CsrfSource csrf) {
		this.path = path;
		this.service = service;
		this.permissions = permissions;
		this.csrf = csrf;
	}

	DashboardRoutes overview(WhizbangEndpoint endpoint) {
		section("whizbang").read("", (call) -> endpoint.overview())
			.read("/{part}", (call) -> endpoint.part(call.in("part")))
			.read("/{part}/{queue}",
					(call) -> endpoint.blocked(call.in("part"), call.in("queue"), call.parameter("after"),
							call.parameter("limit")))
			.write("/{part}/{worker}/{action}", (call, body) -> endpoint.act(call.in("part"), call.in("worker"),
					call.in("action"), null, body.get("note"), call));
		return this;
	}

	DashboardRoutes letters(DeadLettersEndpoint endpoint) {
		section("whizbangdeadletters")
			.read("",
					(call) -> endpoint.list(call.parameter("queue"), call.parameter("source"), call.parameter("reason"),
							call.parameter("topic"), call.parameter("type"), call.parameter("stream"),
							call.parameter("messageId"), call.parameter("from"), call.parameter("until"),
							call.parameter("before"), call.parameter("limit")))
			.read("/{id}", (call) -> endpoint.show(call.in("id")))
			.write("/{id}", (call, body) -> endpoint.replay(call.in("id"), null, body.get("note"), call))
			.write("",
					(call, body) -> endpoint.replayMany(body.get("ids"), body.get("reason"), body.get("queue"),
							body.get("topic"), body.get("source"), null, body.get("note"), call))
			.delete("/{id}", (call, body) -> endpoint.discard(call.in("id"), null, body.get("note"), call));
		return this;
	}

	DashboardRoutes perspectives(PerspectivesEndpoint endpoint) {
		section("whizbangperspectives").read("", (call) -> endpoint.list())
			.read("/{name}", (call) -> endpoint.show(call.in("name"), call.parameter("after"), call.parameter("limit")))
			.write("/{name}/{action}", (call, body) -> endpoint.act(call.in("name"), call.in("action"),
					body.get("stream"), body.get("version"), null, body.get("note"), call));
		return this;
	}

	DashboardRoutes jobs(JobsEndpoint endpoint) {
		section("whizbangjobs").read("", (call) -> endpoint.list(call.parameter("after"), call.parameter("limit")))
			.read("/{name}",
					(call) -> endpoint.show(call.in("name"), call.parameter("before"), call.parameter("limit")))
			.write("/{name}/{action}", (call, body) -> endpoint.act(call.in("name"), call.in("action"), call));
		return this;
	}

	DashboardRoutes timers(TimersEndpoint endpoint) {
		section("whizbangtimers").read("", (call) -> endpoint.list(call.parameter("key"), call.parameter("topic"),
				call.parameter("after"), call.parameter("limit")));
		return this;
	}

	DashboardRoutes fanouts(FanoutsEndpoint endpoint) {
		section("whizbangfanouts").read("", (call) -> endpoint.list())
			.write("/{topic}/{action}",
					(call, body) -> endpoint.act(call.in("topic"), call.in("action"), null, null, null, call));
		return this;
	}

	DashboardRoutes leases(LeasesEndpoint endpoint) {
		section("whizbangleases").read("", (call) -> endpoint.list(call.parameter("after"), call.parameter("limit")));
		return this;
	}

	DashboardRoutes joins(JoinsEndpoint endpoint) {
		section("whizbangjoins").read("",
				(call) -> endpoint.list(call.parameter("key"), call.parameter("after"), call.parameter("limit")));
		return this;
	}

	DashboardRoutes queues(QueuesEndpoint endpoint) {
		section("whizbangqueues").read("", (call) -> endpoint.list(call.parameter("after"), call.parameter("limit")))
			.write("/{queue}/{action}", (call, body) -> endpoint.act(call, call.in("queue"), call.in("action")));
		return this;
	}

	private Section section(String endpoint) {
		this.endpoints.add(endpoint);
		return new Section(this.routes, this.path, endpoint, this.permissions);
	}

	RouterFunction<ServerResponse> build(DashboardGate gate) {
		this.routes.GET(this.path,
				(request) -> ServerResponse
					.temporaryRedirect(URI.create(request.servletRequest().getRequestURI() + "/"))
					.build());
		this.routes.GET(this.path + "/api/session", (request) -> Answers.json(200, session(request)));
		new DashboardFiles().addTo(this.routes, this.path);
		return this.routes.filter(gate).onError(DataAccessException.class, (error, request) -> {
			logger.warn("The dashboard gets no answer from the database", error);
			return Answers.problem(503, "The database does not answer; the log of the application says why");
		}).build();
	}

	private SessionBody session(ServerRequest request) {
		Map<String, Boolean> sections = new LinkedHashMap<>();
		this.endpoints.stream()
			.filter(this.permissions::mayRead)
			.forEach((endpoint) -> sections.put(endpoint, this.permissions.mayWrite(endpoint)));
		return new SessionBody(this.service, request.principal().map(Principal::getName).orElse(null), sections,
				this.csrf.token(request.servletRequest()));
	}

}
