package io.whizbang.sample.board;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Shows the board to the page, which looks often.
 */
@RestController
class BoardController {

	private final Board board;

	BoardController(Board board) {
		this.board = board;
	}

	@GetMapping("/board")
	BoardView look() {
		return this.board.look();
	}

}
