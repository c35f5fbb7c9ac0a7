package io.whizbang.autoconfigure.dashboard;

import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What the page needs to know before it asks for anything else.
 *
 * @param service name of the application
 * @param user who has logged in
 * @param sections endpoints whose operations are there, and whether they may write
 * @param csrf what to send with whatever changes something
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record SessionBody(String service, @Nullable String user, Map<String, Boolean> sections,
		CsrfSource.@Nullable Token csrf) {
}
