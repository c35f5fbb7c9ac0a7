package io.whizbang.docs.sample;

import java.math.BigDecimal;

// tag::payload[]
record OrderPlaced(String orderId, String customer, BigDecimal total) {
}
// end::payload[]
