package io.whizbang.sample.database;

import java.util.Map;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.event.ApplicationFailedEvent;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Starts a PostgreSQL for the shop when it was given none.
 */
class EmbeddedDatabaseInitializer implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		ConfigurableEnvironment environment = context.getEnvironment();
		if (environment.containsProperty("spring.datasource.url")) {
			return;
		}
		EmbeddedDatabase database = EmbeddedDatabase
			.start(environment.getRequiredProperty("shop.database.port", Integer.class));
		environment.getPropertySources()
			.addLast(new MapPropertySource("embeddedDatabase", Map.of("spring.datasource.url", database.url(),
					"spring.datasource.username", EmbeddedDatabase.USERNAME)));
		stopWith(context, database);
	}

	private static void stopWith(ConfigurableApplicationContext context, EmbeddedDatabase database) {
		// Registered before all others and so destroyed after them: their last
		// transactions still need it.
		DisposableBean stop = database::stop;
		((DefaultListableBeanFactory) context.getBeanFactory()).registerDisposableBean("embeddedDatabase", stop);
		ApplicationListener<ApplicationFailedEvent> stopOnFailure = (event) -> database.stop();
		context.addApplicationListener(stopOnFailure);
	}

}
