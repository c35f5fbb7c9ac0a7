package io.whizbang.sample.picture;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A picture as its customer sees it.
 *
 * @param id the picture
 * @param name what the customer calls it
 * @param width how wide it was uploaded
 * @param height how high it was uploaded
 * @param thumbnailWidth how wide it is shown, or {@code null} before it is resized
 * @param thumbnailHeight how high it is shown, or {@code null} before it is resized
 * @param place its place among the customer's pictures that were resized, or {@code null}
 */
record PictureView(UUID id, String name, int width, int height, @Nullable Integer thumbnailWidth,
		@Nullable Integer thumbnailHeight, @Nullable Integer place) {
}
