package io.whizbang.docs.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.whizbang.schema.SchemaScript;

class SchemaForAdministrators {

	void write(Path folder) throws IOException {
		// tag::script[]
		SchemaScript script = new SchemaScript("whizbang");
		Files.writeString(folder.resolve("install.sql"), script.install());
		Files.writeString(folder.resolve("grants.sql"), script.grants("shop_app"));
		// end::script[]
	}

}
