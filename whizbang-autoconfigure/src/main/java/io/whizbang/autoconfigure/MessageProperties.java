package io.whizbang.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * What messages, events and timers may be.
 *
 * @param maxPayloadSize Size that the JSON of a payload may have, counted in characters.
 */
@ConfigurationProperties("whizbang.messages")
public record MessageProperties(@DefaultValue("16MB") DataSize maxPayloadSize) {

	public MessageProperties {
		Assert.isTrue(maxPayloadSize.toBytes() > 0,
				() -> "whizbang.messages.max-payload-size must be above 0 but is " + maxPayloadSize);
	}

}
