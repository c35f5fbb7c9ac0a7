package io.whizbang.sample.picture;

import java.util.List;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Takes and shows the pictures of customers.
 */
@RestController
@RequestMapping("/customers/{id}/pictures")
class PictureController {

	private static final String PRINTABLE = "\\P{Cntrl}*";

	private static final String NOT_PRINTABLE = "must not contain control characters";

	private static final int MANY_PIXELS = 100_000;

	private final Pictures pictures;

	PictureController(Pictures pictures) {
		this.pictures = pictures;
	}

	/** The pixels stay where they are: this shop has no disk for them. */
	@PostMapping
	@ResponseStatus(HttpStatus.ACCEPTED)
	PictureView upload(
			@PathVariable @NotBlank @Size(max = 100) @Pattern(regexp = PRINTABLE, message = NOT_PRINTABLE) String id,
			@RequestParam @NotBlank @Size(max = 100) @Pattern(regexp = PRINTABLE, message = NOT_PRINTABLE) String name,
			@RequestParam @Min(1) @Max(MANY_PIXELS) int width, @RequestParam @Min(1) @Max(MANY_PIXELS) int height) {
		return this.pictures.upload(id, name, width, height);
	}

	@GetMapping
	List<PictureView> pictures(@PathVariable String id) {
		return this.pictures.of(id);
	}

}
