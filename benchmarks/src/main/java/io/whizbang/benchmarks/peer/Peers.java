package io.whizbang.benchmarks.peer;

import java.util.EnumSet;

/**
 * Everybody who delivers messages here.
 */
enum Peers {

	WHIZBANG("whizbang"), RAW("raw loop"), LEASES("lease loop"), NAMASTACK("namastack"), GRUELBOX("gruelbox"),
	MODULITH("modulith"), DB_SCHEDULER("db-scheduler"), JOBRUNR("jobrunr");

	private final String label;

	Peers(String label) {
		this.label = label;
	}

	String label() {
		return this.label;
	}

	/** Whether it is a library that people use, and not a bare loop or Whizbang. */
	boolean isRival() {
		return !EnumSet.of(WHIZBANG, RAW, LEASES).contains(this);
	}

	Peer create(String url, Profile profile) {
		return switch (this) {
			case WHIZBANG -> new WhizbangPeer(url);
			case RAW -> new RawPeer(url);
			case LEASES -> new LeaseLoopPeer(url);
			case NAMASTACK -> new NamastackPeer(url, profile);
			case GRUELBOX -> new GruelboxPeer(url, profile);
			case MODULITH -> new ModulithPeer(url, profile);
			case DB_SCHEDULER -> new DbSchedulerPeer(url, profile);
			case JOBRUNR -> new JobRunrPeer(url, profile);
		};
	}

	static Peers of(String label) {
		for (Peers peer : values()) {
			if (peer.label.equals(label)) {
				return peer;
			}
		}
		throw new IllegalArgumentException("Nobody here is called '" + label + "'");
	}

}
