package io.whizbang.schema;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

import liquibase.resource.AbstractResource;
import liquibase.resource.AbstractResourceAccessor;
import liquibase.resource.Resource;
import org.jspecify.annotations.Nullable;

/**
 * Shows the changelog to Liquibase with the schema's name filled in.
 * <p>
 * Liquibase's own parameters would not do: an environment variable {@code SCHEMA} wins
 * over a parameter {@code schema}, and the objects would land in another schema.
 */
final class ChangelogResources extends AbstractResourceAccessor {

	private final Changelog changelog;

	private final String schema;

	ChangelogResources(Changelog changelog, String schema) {
		this.changelog = changelog;
		this.schema = schema;
	}

	@Override
	public List<Resource> search(String path, boolean recursive) {
		return List.of();
	}

	@Override
	@SuppressWarnings("NullAway")
	public @Nullable List<Resource> getAll(String path) {
		Resource resource = new Text(path);
		return resource.exists() ? List.of(resource) : null;
	}

	@Override
	public List<String> describeLocations() {
		return List.of("Whizbang's changelog");
	}

	@Override
	public void close() {
	}

	private final class Text extends AbstractResource {

		Text(String path) {
			super(path, URI.create("whizbang:/" + path));
		}

		@Override
		public InputStream openInputStream() {
			String text = ChangelogResources.this.changelog.files().getOrDefault(getPath(), "");
			return new ByteArrayInputStream(
					text.replace("${schema}", ChangelogResources.this.schema).getBytes(StandardCharsets.UTF_8));
		}

		@Override
		public boolean exists() {
			return ChangelogResources.this.changelog.files().containsKey(getPath());
		}

		@Override
		public Resource resolve(String other) {
			return new Text(getPath() + "/" + other);
		}

		@Override
		public Resource resolveSibling(String other) {
			return new Text(getPath().substring(0, getPath().lastIndexOf('/') + 1) + other);
		}

	}

}
