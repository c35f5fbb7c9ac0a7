package io.whizbang.autoconfigure.endpoint;

import io.whizbang.lease.LeaseHolder;
import io.whizbang.lease.Leases;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * Endpoint that shows who has leases.
 */
@WebEndpoint(id = "whizbangleases")
public final class LeasesEndpoint {

	private final Leases leases;

	public LeasesEndpoint(Leases leases) {
		this.leases = leases;
	}

	@ReadOperation
	public WebEndpointResponse<?> list(@Nullable String after, @Nullable String limit) {
		return DeadLettersEndpoint
			.answer(() -> new WebEndpointResponse<>(LeasesBody.of(this.leases.list(after, Input.limit(limit)))));
	}

	@ReadOperation
	public WebEndpointResponse<?> show(@Selector String name) {
		return DeadLettersEndpoint.answer(() -> {
			LeaseHolder holder = this.leases.find(name).orElse(null);
			return (holder != null) ? new WebEndpointResponse<>(LeasesBody.Entry.of(holder))
					: new WebEndpointResponse<>(new Problem("Nobody has the lease \"%s\"".formatted(name)),
							WebEndpointResponse.STATUS_NOT_FOUND);
		});
	}

}
