package io.whizbang.docs.sample;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

@Configuration(proxyBeanMethods = false)
class DashboardSecurity {

	// tag::chain[]
	@Bean
	@Order(1)
	SecurityFilterChain dashboard(HttpSecurity http) {
		return http.securityMatcher("/whizbang/**")
			.authorizeHttpRequests((requests) -> requests.anyRequest().hasRole("OPS"))
			.httpBasic(Customizer.withDefaults())
			.build();
	}
	// end::chain[]

}
