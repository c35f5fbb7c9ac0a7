package io.whizbang.sample.picture;

import java.util.List;
import java.util.UUID;

import io.whizbang.queue.WorkQueue;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Takes pictures, and leaves what takes long to the queue.
 */
@Component
class Pictures {

	private final JdbcClient jdbc;

	private final WorkQueue queue;

	Pictures(JdbcClient jdbc, WorkQueue queue) {
		this.jdbc = jdbc;
		this.queue = queue;
	}

	/**
	 * Takes a picture. It is in the queue if and only if it is stored.
	 * @param customerId whose picture, which is what the queue is locked and ordered by
	 * @param name what the customer calls it
	 * @param width how wide it is
	 * @param height how high it is
	 * @return the picture
	 */
	@Transactional
	public PictureView upload(String customerId, String name, int width, int height) {
		UUID id = UUID.randomUUID();
		this.jdbc.sql("insert into picture (id, customer_id, name, width, height) values (?, ?, ?, ?, ?)")
			.params(id, customerId, name, width, height)
			.update();
		this.queue.enqueue(PictureResizer.QUEUE, customerId, new ResizePicture(id));
		return new PictureView(id, name, width, height, null, null, null);
	}

	/**
	 * Reads the pictures of a customer.
	 * @param customerId the customer
	 * @return those that were resized first come first, and last those that were not yet
	 */
	@Transactional(readOnly = true)
	public List<PictureView> of(String customerId) {
		return this.jdbc.sql("""
				select id, name, width, height, thumbnail_width, thumbnail_height, place from picture
				where customer_id = ? order by place, id limit 100""")
			.param(customerId)
			.query(PictureView.class)
			.list();
	}

}
