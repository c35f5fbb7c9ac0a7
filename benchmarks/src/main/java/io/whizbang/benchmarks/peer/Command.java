package io.whizbang.benchmarks.peer;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a contender's process is told to do: a line of text.
 *
 * @param name what to do
 * @param arguments how
 */
record Command(String name, Map<String, String> arguments) {

	static Command of(String name) {
		return new Command(name, new LinkedHashMap<>());
	}

	Command with(String argument, Object value) {
		this.arguments.put(argument, value.toString());
		return this;
	}

	int number(String argument) {
		return Integer.parseInt(text(argument));
	}

	String text(String argument) {
		String value = this.arguments.get(argument);
		if (value == null) {
			throw new IllegalArgumentException("'" + this + "' has no " + argument);
		}
		return value;
	}

	static Command parse(String line) {
		String[] words = line.split(" ", -1);
		Command command = of(words[0]);
		for (int i = 1; i < words.length; i++) {
			String[] argument = words[i].split("=", 2);
			command.with(argument[0], argument[1]);
		}
		return command;
	}

	@Override
	public String toString() {
		StringBuilder line = new StringBuilder(this.name);
		this.arguments.forEach((argument, value) -> line.append(' ').append(argument).append('=').append(value));
		return line.toString();
	}

}
