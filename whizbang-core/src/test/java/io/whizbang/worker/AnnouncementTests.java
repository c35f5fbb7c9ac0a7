package io.whizbang.worker;

import java.util.BitSet;

import io.whizbang.work.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class AnnouncementTests {

	private static final Share SHARE = new Share(4, 2, 17);

	@Test
	void travelsAsText() {
		Announcement announcement = new Announcement("outbox", 17, ranks(0, 3));
		assertThat(announcement.text()).isEqualTo("outbox 17 0,3");
		assertThat(Announcement.parse("outbox 17 0,3")).isEqualTo(announcement);
	}

	@Test
	void concernsThoseWhoseShareGotMessages() {
		assertThat(new Announcement("outbox", 17, ranks(1, 2)).concerns(Queue.OUTBOX, SHARE)).isTrue();
		assertThat(new Announcement("outbox", 17, ranks(1, 3)).concerns(Queue.OUTBOX, SHARE)).isFalse();
		assertThat(new Announcement("other", 17, ranks(2)).concerns(Queue.OUTBOX, SHARE)).isFalse();
	}

	@Test
	void concernsEveryoneWhenItsViewOfTheMembersIsAnother() {
		assertThat(new Announcement("outbox", 16, ranks(1)).concerns(Queue.OUTBOX, SHARE)).isTrue();
		assertThat(new Announcement("outbox", 17, ranks(1)).concerns(Queue.OUTBOX, Share.UNKNOWN)).isTrue();
		assertThat(Announcement.toEveryone(Queue.OUTBOX).concerns(Queue.OUTBOX, SHARE)).isTrue();
	}

	@Test
	void gathers() {
		Announcement one = new Announcement("outbox", 17, ranks(1));
		assertThat(one.and(new Announcement("outbox", 17, ranks(3))).text()).isEqualTo("outbox 17 1,3");
		assertThat(one.and(new Announcement("outbox", 18, ranks(3))).text()).isEqualTo("outbox 17 *");
		assertThat(one.and(Announcement.toEveryone(Queue.OUTBOX)).text()).isEqualTo("outbox 17 *");
	}

	@Test
	void goesToEveryoneRatherThanBeTooLong() {
		BitSet many = new BitSet();
		many.set(0, 2000);
		assertThat(new Announcement("outbox", 1, many).text()).isEqualTo("outbox 1 *");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "outbox", "outbox x *", "outbox 1 a,b", "outbox 1 -3", "outbox 1 " })
	void ignoresNonsense(String text) {
		assertThat(Announcement.parse(text)).isNull();
	}

	@Test
	void usesAChannelForEachSchema() {
		assertThat(AnnouncementChannel.ofSchema("public").name()).isEqualTo("whizbang:public");
		AnnouncementChannel odd = AnnouncementChannel.ofSchema("a\"" + "b".repeat(60));
		assertThat(odd.name()).hasSizeLessThanOrEqualTo(63);
		assertThat(AnnouncementChannel.ofSchema("a\"b").quoted()).isEqualTo("\"whizbang:a\"\"b\"");
	}

	private static BitSet ranks(int... ranks) {
		BitSet set = new BitSet();
		for (int rank : ranks) {
			set.set(rank);
		}
		return set;
	}

}
