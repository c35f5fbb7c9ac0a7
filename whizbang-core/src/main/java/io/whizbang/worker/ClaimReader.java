package io.whizbang.worker;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import io.whizbang.coordinator.ClaimedWork;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the messages of a claim into the lanes. Large ones are read beside the pump,
 * which goes on claiming meanwhile.
 */
final class ClaimReader {

	private static final Logger logger = LoggerFactory.getLogger(ClaimReader.class);

	private final String worker;

	private final Lanes lanes;

	private final Drainers drainers;

	private final Executor executor;

	private final Runnable claimAgain;

	ClaimReader(String worker, Lanes lanes, Drainers drainers, Executor executor, Runnable claimAgain) {
		this.worker = worker;
		this.lanes = lanes;
		this.drainers = drainers;
		this.executor = executor;
		this.claimAgain = claimAgain;
	}

	void take(HeldClaim claim, ClaimedWork claimed) {
		if (claimed.isRead()) {
			this.lanes.arrive(claim, claimed.read());
			return;
		}
		try {
			this.executor.execute(() -> read(claim, claimed));
		}
		catch (RejectedExecutionException ex) {
			giveBack(claim, ex);
		}
	}

	private void read(HeldClaim claim, ClaimedWork claimed) {
		try {
			this.lanes.arrive(claim, claimed.read());
		}
		catch (RuntimeException ex) {
			giveBack(claim, ex);
		}
		this.drainers.employQuietly(this.lanes.readyCount());
	}

	/** A claim that the next report does not know goes back. */
	private void giveBack(HeldClaim claim, Exception reason) {
		logger.warn("{} could not read claimed messages and gives them back", this.worker, reason);
		this.lanes.tearOut(claim);
		this.claimAgain.run();
	}

}
