package io.whizbang.sample.order;

import java.util.UUID;

import org.springframework.data.jpa.repository.JpaRepository;

/**
 * The summaries of all orders.
 */
interface OrderSummaries extends JpaRepository<OrderSummary, UUID> {

}
