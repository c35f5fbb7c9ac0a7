package io.whizbang.autoconfigure;

import javax.sql.DataSource;

import io.whizbang.schema.SchemaInstaller;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the database that Whizbang works
 * in.
 */
@AutoConfiguration(after = DataSourceAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "whizbang.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SchemaProperties.class)
@Import(DatabaseInitializationDependencyConfigurer.class)
public final class WhizbangAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	WhizbangDatabase whizbangDatabase(@WhizbangDataSource ObjectProvider<DataSource> marked,
			ObjectProvider<DataSource> dataSources, ListableBeanFactory beanFactory) {
		return new WhizbangDatabase(DataSourceChoice.choose(marked, dataSources, beanFactory));
	}

	@Bean(initMethod = "install")
	@ConditionalOnMissingBean
	SchemaInstaller whizbangSchemaInstaller(WhizbangDatabase database, SchemaProperties properties) {
		return new SchemaInstaller(database.dataSource(), properties.toSettings());
	}

}
