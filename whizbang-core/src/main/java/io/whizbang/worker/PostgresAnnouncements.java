package io.whizbang.worker;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;

import javax.sql.DataSource;

/**
 * Sends announcements with NOTIFY, in a short transaction of their own.
 */
final class PostgresAnnouncements {

	private final DataSource dataSource;

	private final AnnouncementChannel channel;

	PostgresAnnouncements(DataSource dataSource, AnnouncementChannel channel) {
		this.dataSource = dataSource;
		this.channel = channel;
	}

	void send(Collection<Announcement> announcements) throws SQLException {
		try (Connection connection = this.dataSource.getConnection();
				PreparedStatement statement = connection.prepareStatement("select pg_notify(?, ?)")) {
			for (Announcement announcement : announcements) {
				statement.setString(1, this.channel.name());
				statement.setString(2, announcement.text());
				statement.execute();
			}
			if (!connection.getAutoCommit()) {
				connection.commit();
			}
		}
	}

}
