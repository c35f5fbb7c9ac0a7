package io.whizbang.autoconfigure;

import java.util.List;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Chooses the data source: the marked one, else the only or primary one.
 */
final class DataSourceChoice {

	private DataSourceChoice() {
	}

	static DataSource choose(ObjectProvider<DataSource> marked, ObjectProvider<DataSource> all,
			ListableBeanFactory beanFactory) {
		DataSource chosen = marked.getIfAvailable();
		if (chosen == null) {
			chosen = onlyOrPrimary(all);
		}
		if (chosen == null) {
			throw new DataSourceChoiceException(
					List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, DataSource.class)));
		}
		return chosen;
	}

	private static @Nullable DataSource onlyOrPrimary(ObjectProvider<DataSource> all) {
		return all.getIfUnique();
	}

}
