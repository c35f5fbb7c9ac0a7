package io.whizbang.sample.board;

import java.util.List;

/**
 * The newest orders.
 *
 * @param here which instance of the shop answers
 * @param orders some of them, the newest first
 * @param tiles many of them, the newest first
 */
record BoardView(String here, List<BoardOrder> orders, List<Tile> tiles) {
}
