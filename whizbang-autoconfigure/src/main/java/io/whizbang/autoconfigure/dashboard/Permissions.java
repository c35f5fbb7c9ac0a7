package io.whizbang.autoconfigure.dashboard;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;

/**
 * What the page may do: what the access of the endpoint permits whose operation it is,
 * and nothing but reading unless the page is writable.
 */
final class Permissions {

	private final EndpointAccessResolver resolver;

	private final boolean writable;

	Permissions(EndpointAccessResolver resolver, boolean writable) {
		this.resolver = resolver;
		this.writable = writable;
	}

	boolean mayRead(String endpoint) {
		return access(endpoint) != Access.NONE;
	}

	boolean mayWrite(String endpoint) {
		return this.writable && access(endpoint) == Access.UNRESTRICTED;
	}

	private Access access(String endpoint) {
		return this.resolver.accessFor(EndpointId.of(endpoint), Access.UNRESTRICTED);
	}

}
