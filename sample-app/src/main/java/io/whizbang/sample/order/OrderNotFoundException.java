package io.whizbang.sample.order;

import java.util.UUID;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/**
 * Thrown for an order that does not exist.
 */
@SuppressWarnings("serial")
final class OrderNotFoundException extends ErrorResponseException {

	OrderNotFoundException(UUID id) {
		super(HttpStatus.NOT_FOUND, ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, "There is no order " + id),
				null);
	}

}
