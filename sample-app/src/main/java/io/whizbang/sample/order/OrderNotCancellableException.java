package io.whizbang.sample.order;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/**
 * Thrown for an order that cannot be cancelled, at least not now.
 */
@SuppressWarnings("serial")
final class OrderNotCancellableException extends ErrorResponseException {

	OrderNotCancellableException(Order order) {
		super(HttpStatus.CONFLICT,
				ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT,
						"Order %s is %s; only an order that is %s can be cancelled".formatted(order.id(),
								order.status(), OrderStatus.CONFIRMED)),
				null);
	}

}
