package io.whizbang.autoconfigure.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.springframework.http.MediaType;
import org.springframework.util.Assert;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The files of the page. They lie beside this class, where no web server finds them by
 * itself, and only those of this list are served.
 */
final class DashboardFiles {

	static final String INDEX = "index.html";

	static final List<String> NAMES = List.of(INDEX, "style.css", "icon.svg", "app.js", "api.js", "dom.js", "chart.js",
			"dialog.js", "overview.js", "attention.js", "blocked.js", "letters.js", "perspectives.js", "jobs.js",
			"instances.js", "more.js");

	private static final Map<String, MediaType> TYPES = Map.of("html",
			MediaType.parseMediaType("text/html;charset=UTF-8"), "css",
			MediaType.parseMediaType("text/css;charset=UTF-8"), "js",
			MediaType.parseMediaType("text/javascript;charset=UTF-8"), "svg",
			MediaType.parseMediaType("image/svg+xml"));

	private final Map<String, byte[]> files = new LinkedHashMap<>();

	DashboardFiles() {
		NAMES.forEach((name) -> this.files.put(name, read(name)));
	}

	void addTo(RouterFunctions.Builder routes, String path) {
		this.files.forEach((name, content) -> {
			ServerResponse file = Answers.bytes(200, type(name), content);
			routes.GET(path + "/" + (name.equals(INDEX) ? "" : name), (request) -> file);
		});
	}

	private static MediaType type(String name) {
		MediaType type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
		Assert.state(type != null, () -> "The file %s has no known type".formatted(name));
		return type;
	}

	private static byte[] read(String name) {
		try (InputStream file = DashboardFiles.class.getResourceAsStream(name)) {
			Assert.state(file != null, () -> "The file %s of the dashboard is missing".formatted(name));
			return file.readAllBytes();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The file %s of the dashboard cannot be read".formatted(name), ex);
		}
	}

}
