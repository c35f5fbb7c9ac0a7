package io.whizbang.autoconfigure;

import javax.sql.DataSource;

import io.whizbang.worker.AnnouncementChannel;
import io.whizbang.worker.ListenConnections;
import io.whizbang.worker.PostgresListener;
import io.whizbang.worker.WorkNotifier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * How instances tell each other about new work.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "whizbang.listen.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ListenProperties.class)
class ListenConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(ListenConfiguration.class);

	@Bean
	@ConditionalOnMissingBean
	WorkNotifier whizbangWorkNotifier(WhizbangDatabase database) {
		return new WorkNotifier(database.dataSource(), AnnouncementChannel.ofSchema(database.schema()));
	}

	@Bean
	@ConditionalOnMissingBean
	@Nullable PostgresListener whizbangPostgresListener(WhizbangDatabase database, ObjectProvider<ListenConnections> connections,
			ObjectProvider<JdbcConnectionDetails> details, ListableBeanFactory beanFactory) {
		AnnouncementChannel channel = AnnouncementChannel.ofSchema(database.schema());
		ListenConnections given = connections.getIfAvailable();
		if (given != null) {
			return new PostgresListener(given, channel);
		}
		boolean detailsFit = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory,
				DataSource.class).length == 1;
		DataSource unpooled = UnpooledDataSource.derive(database.dataSource(),
				detailsFit ? details.getIfUnique() : null);
		if (unpooled == null) {
			logger.info("Whizbang polls for work of other instances instead of listening: it knows no way around {}. "
					+ "Define a ListenConnections bean to listen", database.dataSource().getClass().getName());
			return null;
		}
		return new PostgresListener(unpooled::getConnection, channel);
	}

}
