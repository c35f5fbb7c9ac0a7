package io.whizbang.coordinator;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.whizbang.message.HeaderNames;
import io.whizbang.message.NewMessage;
import io.whizbang.work.Claim;
import io.whizbang.work.Outcome;
import io.whizbang.work.Work;
import org.jspecify.annotations.Nullable;

/**
 * What happened since the last exchange.
 *
 * @param finished claims of which nothing is left to do; whatever {@code outcomes} does
 * not name is done
 * @param outcomes what became of single messages: all that did not end well, and the good
 * ones of claims that go on
 * @param renewed claims whose work is in progress and needs a longer lease
 * @param known every claim that the caller holds, so that one whose announcement was lost
 * is given back; {@code null} leaves unknown claims alone
 * @param newMessages messages to store in the same transaction
 * @param holding places of messages that the caller takes for its own, asked when an
 * answer was lost: those that went back are answered as released
 * @param members whether some of what has ended well or died may be a member of a join;
 * if not, nobody has to look
 */
public record WorkReport(Collection<Claim> finished, Map<Work, Outcome> outcomes, Collection<Claim> renewed,
		@Nullable Collection<Claim> known, List<NewMessage> newMessages, Collection<Long> holding, boolean members) {

	public WorkReport {
		finished = List.copyOf(finished);
		outcomes = Map.copyOf(outcomes);
		renewed = List.copyOf(renewed);
		known = (known != null) ? List.copyOf(known) : null;
		newMessages = List.copyOf(newMessages);
		holding = List.copyOf(holding);
	}

	public WorkReport(Collection<Claim> finished, Map<Work, Outcome> outcomes, Collection<Claim> renewed,
			@Nullable Collection<Claim> known, List<NewMessage> newMessages) {
		this(finished, outcomes, renewed, known, newMessages, List.of());
	}

	/**
	 * Creates a report that leaves it to others to look for members of joins, unless all
	 * that it tells of is named and none is one.
	 */
	public WorkReport(Collection<Claim> finished, Map<Work, Outcome> outcomes, Collection<Claim> renewed,
			@Nullable Collection<Claim> known, List<NewMessage> newMessages, Collection<Long> holding) {
		this(finished, outcomes, renewed, known, newMessages, holding,
				!finished.isEmpty() || outcomes.keySet().stream().anyMatch(WorkReport::isMember));
	}

	/**
	 * Says whether work is a member of a join, which hears what became of it.
	 * @param work the work
	 * @return whether it is
	 */
	public static boolean isMember(Work work) {
		return work.envelope().headers().containsKey(HeaderNames.JOIN);
	}

	/**
	 * Returns a report of nothing.
	 * @return the report
	 */
	public static WorkReport nothing() {
		return new WorkReport(List.of(), Map.of(), List.of(), null, List.of());
	}

	public static WorkReport of(Map<Work, Outcome> outcomes) {
		return new WorkReport(List.of(), outcomes, List.of(), null, List.of());
	}

}
