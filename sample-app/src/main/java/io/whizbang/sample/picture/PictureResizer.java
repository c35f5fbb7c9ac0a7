package io.whizbang.sample.picture;

import io.whizbang.queue.QueueConsumer;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Makes pictures small. The pictures of a customer are resized one after the other, in
 * the order in which they were uploaded, whichever instance of the shop does it; those of
 * other customers beside them.
 */
@Component
class PictureResizer {

	static final String QUEUE = "pictures";

	private static final int LARGEST = 200;

	private final JdbcClient jdbc;

	PictureResizer(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Resizes a picture, which this shop only pretends to do. Counting those before needs
	 * no lock: nobody else resizes a picture of this customer meanwhile.
	 */
	@QueueConsumer(queue = QUEUE, concurrency = "4", transactional = true)
	void resize(ResizePicture picture) {
		this.jdbc
			.sql("""
					update picture p set
					    thumbnail_width = greatest(1, round(p.width * least(1, :largest / greatest(p.width, p.height)::numeric))),
					    thumbnail_height = greatest(1, round(p.height * least(1, :largest / greatest(p.width, p.height)::numeric))),
					    place = (select count(d.place) + 1 from picture d where d.customer_id = p.customer_id)
					where p.id = :id and p.place is null""")
			.param("largest", LARGEST)
			.param("id", picture.id())
			.update();
	}

}
