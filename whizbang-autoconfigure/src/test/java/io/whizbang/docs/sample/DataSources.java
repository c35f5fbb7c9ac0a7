package io.whizbang.docs.sample;

import java.sql.DriverManager;

import javax.sql.DataSource;

import io.whizbang.autoconfigure.WhizbangDataSource;
import io.whizbang.worker.ListenConnections;

import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class DataSources {

	// tag::marked[]
	@Bean
	@WhizbangDataSource
	DataSource orders() {
		return DataSourceBuilder.create().url("jdbc:postgresql://localhost/orders").build();
	}
	// end::marked[]

	// tag::listen[]
	@Bean
	ListenConnections listenConnections() {
		return () -> DriverManager.getConnection("jdbc:postgresql://db.example.com:5432/shop", "shop_app", "secret");
	}
	// end::listen[]

}
