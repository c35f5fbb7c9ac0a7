package io.whizbang.benchmarks.peer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The process of one contender: it does what it is told on its input, and answers on its
 * output, until nobody tells it anything any more.
 */
public final class PeerProcess {

	static final String READY = "@READY ";

	static final String VERSION = "@VERSION ";

	static final String SETTINGS = "@SETTINGS ";

	static final String ORDER = "@ORDER ";

	static final String FIGURE = "@FIGURE ";

	static final String DONE = "@DONE";

	static final String FAILED = "@FAILED ";

	static final String SHED_LOCK = "shedlock";

	static final String TIMERS = "timers";

	private PeerProcess() {
	}

	/**
	 * Runs the process.
	 * @param arguments the contender's name, its profile and the URL of its database
	 */
	public static void main(String[] arguments) throws IOException {
		PrintStream out = System.out;
		// What libraries say there is not part of the conversation.
		System.setOut(System.err);
		try (Work work = work(arguments[0], Profile.of(arguments[1]), arguments[2]);
				BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
			out.println(VERSION + work.version());
			out.println(SETTINGS + work.settings());
			out.println(ORDER + work.keepsOrder());
			out.println(READY + arguments[0]);
			for (String line = in.readLine(); line != null; line = in.readLine()) {
				answer(work, Command.parse(line), out);
			}
		}
		System.exit(0);
	}

	private static Work work(String name, Profile profile, String url) {
		return switch (name) {
			case SHED_LOCK -> new LockWork(url);
			case TIMERS -> new TimerWork(url);
			default -> new PeerWork(Peers.of(name).create(url, profile), url);
		};
	}

	private static void answer(Work work, Command command, PrintStream out) {
		try {
			work.perform(command).figures().forEach((name, figure) -> out.println(FIGURE + figure + " " + name));
			out.println(DONE);
		}
		catch (Exception ex) {
			ex.printStackTrace();
			out.println(FAILED + command + ": " + ex);
		}
		out.flush();
	}

}
