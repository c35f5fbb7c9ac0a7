package io.whizbang.sample.order;

import java.net.URI;
import java.util.List;
import java.util.UUID;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The shop's counter.
 */
@RestController
@RequestMapping("/orders")
class OrderController {

	private final OrderService orders;

	OrderController(OrderService orders) {
		this.orders = orders;
	}

	@PostMapping
	ResponseEntity<OrderView> place(@RequestBody @Valid PlaceOrder request) {
		OrderView order = this.orders.place(request);
		return ResponseEntity.created(URI.create("/orders/" + order.id())).body(order);
	}

	@GetMapping("/{id}")
	OrderView find(@PathVariable UUID id) {
		return this.orders.find(id).orElseThrow(() -> new OrderNotFoundException(id));
	}

	@GetMapping
	List<OrderView> newest(@RequestParam(defaultValue = "20") @Min(1) @Max(100) int limit) {
		return this.orders.newest(limit);
	}

}
