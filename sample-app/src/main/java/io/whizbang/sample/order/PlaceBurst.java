package io.whizbang.sample.order;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

/**
 * What somebody sends who wants the same many times.
 *
 * @param count how many orders
 * @param order what is in each
 */
record PlaceBurst(@NotNull @Min(1) @Max(1000) Integer count, @NotNull @Valid PlaceOrder order) {
}
