package io.whizbang.docs.sample;

import io.whizbang.outbox.OutboxRouter;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class Routing {

	// tag::router[]
	@Bean
	OutboxRouter router() {
		return (topic) -> topic.startsWith("partner.") ? "webhooks" : null;
	}
	// end::router[]

}
