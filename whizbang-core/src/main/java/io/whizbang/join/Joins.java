package io.whizbang.join;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.whizbang.message.MessageId;
import io.whizbang.outbox.OutboxMessage;
import org.jspecify.annotations.Nullable;

/**
 * Lets one message follow when many pieces of work have ended. What is called in a
 * transaction takes effect if and only if that commits.
 */
public interface Joins {

	/** Most joins or members of a page. */
	int MAX_PAGE = 1000;

	/**
	 * Starts a join. When it has a key that another one has, nothing is started.
	 * @param join the join
	 * @return its identity, or that of the one that has its key
	 */
	JoinId start(NewJoin join);

	/**
	 * Enqueues messages as members: they report themselves when they were delivered, or
	 * are dead letters. Each is attached under its identity.
	 * @param join the join
	 * @param messages the messages
	 * @return their identities, in the same order
	 * @throws JoinRefusedException when the join takes no more members
	 */
	List<MessageId> enqueueAll(JoinId join, Collection<OutboxMessage> messages);

	/**
	 * Enqueues a message as a member.
	 * @param join the join
	 * @param message the message
	 * @return its identity
	 * @throws JoinRefusedException when the join takes no more members
	 */
	default MessageId enqueue(JoinId join, OutboxMessage message) {
		return enqueueAll(join, List.of(message)).get(0);
	}

	/**
	 * Attaches members; those that it has already stay as they are. Somebody has to
	 * report them, or a message that has {@link JoinId#headers(String) headers} that name
	 * one.
	 * @param join the join
	 * @param members their names, each at most 200 characters
	 * @return how many are new
	 * @throws JoinRefusedException when the join takes no more members; none is attached
	 * then
	 */
	int attachAll(JoinId join, Collection<String> members);

	/**
	 * Attaches a member.
	 * @param join the join
	 * @param member its name, at most 200 characters
	 * @return whether it is new
	 * @throws JoinRefusedException when the join takes no more members
	 */
	default boolean attach(JoinId join, String member) {
		return attachAll(join, List.of(member)) > 0;
	}

	/**
	 * Says that a join has all its members: it expects as many as it has.
	 * @param join the join
	 * @return how many it expects
	 */
	int seal(JoinId join);

	/**
	 * Reports that a member is done. Only the first report of a member counts.
	 * @param join the join
	 * @param member its name
	 * @throws JoinRefusedException when the join has no such member
	 */
	void reportDone(JoinId join, String member);

	/**
	 * Reports that a member has failed. Only the first report of a member counts.
	 * @param join the join
	 * @param member its name
	 * @param reason why, for people
	 * @throws JoinRefusedException when the join has no such member
	 */
	void reportFailed(JoinId join, String member, String reason);

	/**
	 * Closes a join; nothing follows.
	 * @param join the join
	 * @return whether it was open
	 */
	boolean cancel(JoinId join);

	/**
	 * Finds a join, open or closed.
	 * @param join its identity
	 * @return the join, as long as it is kept
	 */
	Optional<Join> find(JoinId join);

	/**
	 * Finds a join, open or closed.
	 * @param key its key
	 * @return the join, as long as it is kept
	 */
	Optional<Join> findByKey(String key);

	/**
	 * Returns a page of the joins that are open, oldest first.
	 * @param after the last join of the page before, or {@code null}
	 * @param limit how many at most
	 * @return the joins
	 */
	List<Join> open(@Nullable JoinId after, int limit);

	/**
	 * Returns a page of the members of a join, by name.
	 * @param join the join
	 * @param after name of the last member of the page before, or {@code null}
	 * @param limit how many at most
	 * @return the members
	 */
	List<JoinMember> members(JoinId join, @Nullable String after, int limit);

}
