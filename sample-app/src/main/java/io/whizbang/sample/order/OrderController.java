package io.whizbang.sample.order;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.whizbang.event.Appended;
import io.whizbang.perspective.Perspectives;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * The shop's counter.
 */
@RestController
@RequestMapping("/orders")
class OrderController {

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private static final int PER_TRANSACTION = 100;

	private final OrderService orders;

	private final Perspectives perspectives;

	OrderController(OrderService orders, Perspectives perspectives) {
		this.orders = orders;
		this.perspectives = perspectives;
	}

	@PostMapping
	ResponseEntity<OrderView> place(@RequestBody @Valid PlaceOrder request) {
		PlacedOrder order = this.orders.place(request);
		awaitSummary(order.appended());
		return ResponseEntity.created(URI.create("/orders/" + order.id())).body(order.view());
	}

	/**
	 * Places many orders, some in each transaction. Nobody looks for a certain one of
	 * them next, so nobody waits for their summaries.
	 */
	@PostMapping("/burst")
	PlacedBurst place(@RequestBody @Valid PlaceBurst request) {
		for (int left = request.count(); left > 0; left -= PER_TRANSACTION) {
			this.orders.place(request.order(), Math.min(left, PER_TRANSACTION));
		}
		return new PlacedBurst(request.count());
	}

	@DeleteMapping("/{id}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void cancel(@PathVariable UUID id) {
		awaitSummary(this.orders.cancel(id));
	}

	/**
	 * Whoever has written looks next, perhaps at another instance, and should see it. It
	 * is written in any case, so nothing is wrong if this takes too long.
	 */
	private void awaitSummary(Appended appended) {
		this.perspectives.await(OrderSummaryPerspective.NAME, appended, PATIENCE);
	}

	@GetMapping("/{id}")
	OrderView find(@PathVariable UUID id) {
		// An order without a summary is looked up itself: the summaries may be under way.
		return this.orders.summary(id).or(() -> this.orders.find(id)).orElseThrow(() -> new OrderNotFoundException(id));
	}

	@GetMapping
	List<OrderView> newest(@RequestParam(defaultValue = "20") @Min(1) @Max(100) int limit) {
		return this.orders.newest(limit);
	}

}
