package io.whizbang.benchmarks.peer;

import java.nio.file.Path;
import java.time.Duration;

/**
 * A contender that delivers messages.
 */
final class PeerWork implements Work {

	private final Peer peer;

	private final Workloads workloads;

	PeerWork(Peer peer, String url) {
		this.peer = peer;
		this.workloads = new Workloads(peer, url);
	}

	@Override
	public String version() {
		return this.peer.version();
	}

	@Override
	public String settings() {
		return this.peer.settings();
	}

	@Override
	public boolean keepsOrder() {
		return this.peer.keepsOrder();
	}

	@Override
	public Answer perform(Command command) throws Exception {
		return switch (command.name()) {
			case "warm" -> this.workloads.warm(seconds(command, "seconds"));
			case "drain" ->
				this.workloads.drain(command.number("messages"), command.number("streams"), seconds(command, "limit"));
			case "steady" -> this.workloads.steady(seconds(command, "seconds"), seconds(command, "limit"));
			case "alone" -> this.workloads.alone(seconds(command, "seconds"));
			case "trickle" ->
				this.workloads.trickle(command.number("rate"), seconds(command, "seconds"), seconds(command, "limit"));
			case "churn" -> this.workloads.churn(seconds(command, "seconds"), seconds(command, "limit"));
			case "idle" -> this.workloads.idle(seconds(command, "seconds"));
			case "share" -> this.workloads.share(command.text("run"));
			case "fill" -> this.workloads.fill(command.number("messages"), command.number("streams"));
			case "start" -> this.workloads.start();
			case "send" -> this.workloads.send(command.number("rate"), seconds(command, "seconds"));
			case "delivered" -> this.workloads.delivered();
			case "stop" -> this.workloads.stop(Path.of(command.text("commits")), Path.of(command.text("deliveries")));
			case "locks" -> LockWork.measure(whizbang().leases(), seconds(command, "seconds"));
			case "claim" -> new ClaimCost(whizbang()).measure(command.number("backlog"), command.number("claims"));
			default -> throw new IllegalArgumentException("Nobody knows how to '" + command + "'");
		};
	}

	private WhizbangPeer whizbang() {
		if (this.peer instanceof WhizbangPeer whizbang) {
			return whizbang;
		}
		throw new IllegalStateException("Only whizbang is asked for this, not " + this.peer.name());
	}

	private static Duration seconds(Command command, String argument) {
		return Duration.ofSeconds(command.number(argument));
	}

	@Override
	public void close() {
		this.peer.close();
	}

}
