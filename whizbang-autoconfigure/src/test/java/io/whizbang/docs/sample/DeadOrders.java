package io.whizbang.docs.sample;

import java.util.Map;

import io.whizbang.letter.DeadLetterFilter;
import io.whizbang.letter.DeadLetterSummary;
import io.whizbang.letter.DeadLetters;
import io.whizbang.letter.Operator;
import io.whizbang.letter.RawLetter;
import io.whizbang.work.Queue;
import io.whizbang.work.RetryPolicy;

class DeadOrders {

	private final DeadLetters letters;

	DeadOrders(DeadLetters letters) {
		this.letters = letters;
	}

	long replay() {
		// tag::replay[]
		Operator ada = Operator.named("ada").noting("the partner's API is back");
		DeadLetterFilter filter = DeadLetterFilter.ALL.topic("orders").reason(RetryPolicy.MAX_ATTEMPTS);
		for (DeadLetterSummary letter : this.letters.list(filter, null, 100).letters()) {
			System.out.println(letter.id() + " " + letter.error());
		}
		long replayed = this.letters.replayAll(filter, ada);
		// end::replay[]
		return replayed;
	}

	void record(String file, byte[] bytes, RuntimeException failure) {
		// tag::record[]
		this.letters
			.record(RawLetter.of(Queue.INBOX, "ftp:orders", RawLetter.MALFORMED, failure, bytes, Map.of("file", file)));
		// end::record[]
	}

}
