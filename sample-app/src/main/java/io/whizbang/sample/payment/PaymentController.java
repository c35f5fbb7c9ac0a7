package io.whizbang.sample.payment;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Repairs what makes payments fail for good, and breaks it again.
 */
@RestController
@RequestMapping("/payments/repair")
class PaymentController {

	private final CardNetwork cards;

	PaymentController(CardNetwork cards) {
		this.cards = cards;
	}

	@GetMapping
	NetworkView look() {
		return new NetworkView(this.cards.isRepaired());
	}

	@PostMapping
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void repair() {
		this.cards.repair(true);
	}

	@DeleteMapping
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void breakAgain() {
		this.cards.repair(false);
	}

}
