package io.whizbang.docs.sample;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;

import io.whizbang.message.Envelope;
import io.whizbang.transport.SendResult;
import io.whizbang.transport.Transport;

import org.springframework.stereotype.Component;

// tag::transport[]
@Component
class Webhooks implements Transport {

	private final HttpClient client = HttpClient.newHttpClient();

	@Override
	public String name() {
		return "webhooks";
	}

	@Override
	public int batchSize() {
		return 1;
	}

	@Override
	public List<SendResult> send(List<Envelope> messages) {
		Envelope message = messages.get(0);
		HttpRequest request = HttpRequest.newBuilder(URI.create("https://hooks.example.com/" + message.topic()))
			.header("Idempotency-Key", message.id().toString())
			.POST(BodyPublishers.ofString(message.payload()))
			.build();
		try {
			int status = this.client.send(request, BodyHandlers.discarding()).statusCode();
			return List.of((status < 300) ? SendResult.sent()
					: SendResult.failed(new IOException("The hook answered " + status)));
		}
		catch (ConnectException ex) {
			return List.of(SendResult.unreachable(ex));
		}
		catch (IOException ex) {
			return List.of(SendResult.failed(ex));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return List.of(SendResult.failed(ex));
		}
	}

}
// end::transport[]
