package io.whizbang.sample.sales;

import java.util.List;

import io.whizbang.perspective.Perspectives;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Shows what the shop has earned.
 */
@RestController
class SalesController {

	private final SalesPerDay sales;

	private final NightlyReport reports;

	private final Perspectives perspectives;

	SalesController(SalesPerDay sales, NightlyReport reports, Perspectives perspectives) {
		this.sales = sales;
		this.reports = reports;
		this.perspectives = perspectives;
	}

	@GetMapping("/sales")
	List<DaySales> newest(@RequestParam(defaultValue = "30") @Min(1) @Max(1000) int days) {
		return this.sales.newest(this.perspectives.serving(SalesPerDay.NAME), days);
	}

	@GetMapping("/sales/reports")
	List<DaySales> reports(@RequestParam(defaultValue = "30") @Min(1) @Max(1000) int days) {
		return this.reports.newest(days);
	}

}
