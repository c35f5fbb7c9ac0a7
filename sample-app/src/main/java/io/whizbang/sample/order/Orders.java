package io.whizbang.sample.order;

import java.util.List;
import java.util.UUID;

import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;

/**
 * All orders.
 */
interface Orders extends JpaRepository<Order, UUID> {

	List<Order> findByOrderByPlacedAtDescIdDesc(Limit limit);

}
