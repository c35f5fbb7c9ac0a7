package io.whizbang.autoconfigure.endpoint;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.whizbang.join.Join;
import io.whizbang.join.JoinMember;
import io.whizbang.join.JoinStatus;
import org.jspecify.annotations.Nullable;

/**
 * How joins stand, as JSON.
 *
 * @param joins the joins
 * @param members members of a join, where they were asked for
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record JoinsBody(List<Progress> joins, @Nullable List<Member> members) {

	static JoinsBody of(List<Join> joins) {
		return new JoinsBody(joins.stream().map(Progress::of).toList(), null);
	}

	static JoinsBody of(Join join, List<JoinMember> members) {
		return new JoinsBody(List.of(Progress.of(join)), members.stream().map(Member::of).toList());
	}

	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Progress(String id, @Nullable String key, JoinStatus status, @Nullable Integer expected, int attached,
			int done, int failed, int late, Map<String, String> metadata, Instant startedAt, @Nullable Instant deadline,
			@Nullable Instant closedAt) {

		static Progress of(Join join) {
			return new Progress(join.id().toString(), join.key(), join.status(), join.expected(), join.attached(),
					join.done(), join.failed(), join.late(), join.metadata(), join.startedAt(), join.deadline(),
					join.closedAt());
		}

	}

	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Member(String name, JoinMember.Outcome outcome, boolean late, Instant attachedAt,
			@Nullable Instant reportedAt, @Nullable String reason) {

		static Member of(JoinMember member) {
			return new Member(member.name(), member.outcome(), member.late(), member.attachedAt(), member.reportedAt(),
					member.reason());
		}

	}

}
