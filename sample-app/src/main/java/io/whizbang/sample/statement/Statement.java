package io.whizbang.sample.statement;

import java.math.BigDecimal;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What a customer has bought in a time.
 *
 * @param since from when on, or {@code null} from the beginning
 * @param until until when
 * @param orders how many orders
 * @param amount for how much
 */
record Statement(@Nullable Instant since, Instant until, int orders, BigDecimal amount) {
}
