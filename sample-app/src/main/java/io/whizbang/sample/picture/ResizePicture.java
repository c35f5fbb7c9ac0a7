package io.whizbang.sample.picture;

import java.util.UUID;

/**
 * What is to be done with an uploaded picture.
 *
 * @param id the picture
 */
record ResizePicture(UUID id) {
}
