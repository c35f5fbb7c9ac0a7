package io.whizbang.sample.statement;

import java.util.List;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * Shows customers their statements.
 */
@RestController
class StatementController {

	private final Statements statements;

	private final StatementNights nights;

	StatementController(Statements statements, StatementNights nights) {
		this.statements = statements;
		this.nights = nights;
	}

	@GetMapping("/statements/nights")
	List<StatementNight> nights() {
		return this.nights.last();
	}

	@GetMapping("/customers/{id}/statements")
	List<Statement> statements(@PathVariable String id) {
		return this.statements.of(id);
	}

}
