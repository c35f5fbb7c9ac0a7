package io.whizbang.worker;

import java.util.List;
import java.util.Map;

import io.whizbang.coordinator.WorkReport;
import io.whizbang.work.Outcome;
import io.whizbang.work.Work;

/**
 * A report on its way: what is settled once it got through, and taken back if it did not.
 *
 * @param report what is sent
 * @param parts what it says of each claim
 * @param renewed the claims whose lease it renews
 */
record PendingReport(WorkReport report, List<Part> parts, List<HeldClaim> renewed) {

	/**
	 * What a report says of one claim.
	 *
	 * @param claim the claim
	 * @param outcomes what became of its messages
	 * @param blockedLanes lanes that stand still until this is reported
	 */
	record Part(HeldClaim claim, Map<Work, Outcome> outcomes, List<Lane> blockedLanes) {
	}

}
