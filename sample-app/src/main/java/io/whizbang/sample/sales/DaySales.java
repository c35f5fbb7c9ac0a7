package io.whizbang.sample.sales;

import java.math.BigDecimal;
import java.time.LocalDate;

/**
 * The sales of one day.
 *
 * @param day the day, in UTC
 * @param orders how many orders were paid, less those that were cancelled
 * @param amount what they came to
 */
record DaySales(LocalDate day, int orders, BigDecimal amount) {
}
