package io.whizbang.docs.sample;

import java.math.BigDecimal;

import io.whizbang.event.EventType;

// tag::type[]
@EventType(value = "money-moved", version = 2)
record MoneyMoved(BigDecimal amount, String currency) {
}
// end::type[]
