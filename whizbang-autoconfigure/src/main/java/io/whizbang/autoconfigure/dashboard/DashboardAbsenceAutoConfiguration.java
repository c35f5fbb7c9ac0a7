package io.whizbang.autoconfigure.dashboard;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

/**
 * {@link EnableAutoConfiguration Auto-configuration} that says why there is no dashboard
 * where one is wanted.
 */
@AutoConfiguration(after = DashboardAutoConfiguration.class)
public final class DashboardAbsenceAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(DashboardAbsenceAutoConfiguration.class);

	@Bean
	@ConditionalOnBooleanProperty(name = "whizbang.dashboard.enabled")
	@ConditionalOnMissingBean(name = "whizbangDashboard")
	SmartInitializingSingleton whizbangDashboardAbsence(ApplicationContext context) {
		return () -> logger.warn("There is no dashboard although whizbang.dashboard.enabled is true: {}",
				reason(context.getClassLoader()));
	}

	private static String reason(@Nullable ClassLoader loader) {
		if (!ClassUtils.isPresent("org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint", loader)) {
			return "it needs spring-boot-starter-actuator on the class path";
		}
		return "it needs a servlet web application (spring-boot-starter-webmvc), and Whizbang switched on";
	}

}
