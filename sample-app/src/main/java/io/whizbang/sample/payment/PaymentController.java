package io.whizbang.sample.payment;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Repairs what makes payments fail for good, and breaks it again.
 */
@RestController
@RequestMapping("/payments/repair")
@ResponseStatus(HttpStatus.NO_CONTENT)
class PaymentController {

	private final CardNetwork cards;

	PaymentController(CardNetwork cards) {
		this.cards = cards;
	}

	@PostMapping
	void repair() {
		this.cards.repair(true);
	}

	@DeleteMapping
	void breakAgain() {
		this.cards.repair(false);
	}

}
