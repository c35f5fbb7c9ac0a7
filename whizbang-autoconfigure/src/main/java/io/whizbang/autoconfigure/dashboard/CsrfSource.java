package io.whizbang.autoconfigure.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.security.web.csrf.CsrfToken;

/**
 * Tells the page the token that Spring Security wants to see with whatever changes
 * something.
 */
@FunctionalInterface
interface CsrfSource {

	/** Nobody wants one. */
	CsrfSource NONE = (request) -> null;

	@Nullable Token token(HttpServletRequest request);

	/**
	 * A token.
	 *
	 * @param header name of the header to send it in
	 * @param token the token
	 */
	record Token(String header, String token) {
	}

	/** Apart, because an application may not have Spring Security. */
	final class SpringSecurity implements CsrfSource {

		@Override
		public @Nullable Token token(HttpServletRequest request) {
			return (request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token)
					? new Token(token.getHeaderName(), token.getToken()) : null;
		}

	}

}
