package io.whizbang.benchmarks.peer;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Which message was seen when, in the order of looking. Many threads write, nobody waits.
 * The clock is that of the system, so that logs of several processes fit together.
 */
final class MessageLog {

	private static final int CHUNK = 1 << 16;

	private static final int CHUNKS = 1 << 12;

	private final AtomicReferenceArray<long[]> chunks = new AtomicReferenceArray<>(CHUNKS);

	private final AtomicInteger begun = new AtomicInteger();

	private final AtomicInteger written = new AtomicInteger();

	void add(int stream, int place, long nanos) {
		int index = this.begun.getAndIncrement();
		long[] chunk = chunk(index / CHUNK);
		int offset = 2 * (index % CHUNK);
		chunk[offset] = key(stream, place);
		chunk[offset + 1] = nanos;
		this.written.incrementAndGet();
	}

	private long[] chunk(int number) {
		long[] chunk = this.chunks.get(number);
		if (chunk == null) {
			this.chunks.compareAndSet(number, null, new long[2 * CHUNK]);
			chunk = this.chunks.get(number);
		}
		return chunk;
	}

	static long key(int stream, int place) {
		return ((long) stream << 32) | place;
	}

	static int stream(long key) {
		return (int) (key >>> 32);
	}

	static int place(long key) {
		return (int) key;
	}

	/** How many messages were seen. */
	int size() {
		return this.written.get();
	}

	/** How many messages were seen before a moment. */
	long sizeBefore(long nanos) {
		long count = 0;
		for (long[] entry : entries()) {
			if (entry[1] - nanos < 0) {
				count++;
			}
		}
		return count;
	}

	/** Returns what was seen: key and time. */
	long[][] entries() {
		int size = size();
		long[][] entries = new long[size][2];
		for (int index = 0; index < size; index++) {
			System.arraycopy(chunk(index / CHUNK), 2 * (index % CHUNK), entries[index], 0, 2);
		}
		return entries;
	}

	void write(Path file) {
		try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
			for (long[] entry : entries()) {
				out.writeLong(entry[0]);
				out.writeLong(entry[1]);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot write " + file, ex);
		}
	}

	/** Adds what another process has seen. */
	void read(Path file) {
		try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
			for (long left = Files.size(file) / 16; left > 0; left--) {
				long key = in.readLong();
				add(stream(key), place(key), in.readLong());
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read " + file, ex);
		}
	}

}
