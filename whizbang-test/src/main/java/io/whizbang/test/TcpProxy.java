package io.whizbang.test;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A wire to a server that a test can cut and mend.
 */
public final class TcpProxy implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(TcpProxy.class);

	private static final int BACKLOG = 50;

	private final InetSocketAddress target;

	private final Set<Socket> sockets = new HashSet<>();

	private final ServerSocket entry;

	private boolean cut;

	/**
	 * Creates a wire that is whole.
	 * @param host where the server is
	 * @param port its port
	 */
	public TcpProxy(String host, int port) {
		this.target = new InetSocketAddress(host, port);
		try {
			this.entry = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No port is free", ex);
		}
		start(() -> {
			while (!this.entry.isClosed()) {
				connect(this.entry.accept());
			}
		});
	}

	/**
	 * Returns where to connect instead of the server.
	 * @return a port on {@code localhost}, the same before and after a cut
	 */
	public int port() {
		return this.entry.getLocalPort();
	}

	/** Breaks all connections, and from now on each new one at once. */
	public synchronized void cut() {
		this.cut = true;
		this.sockets.forEach(TcpProxy::close);
		this.sockets.clear();
	}

	/** Lets connections through again. */
	public synchronized void mend() {
		this.cut = false;
	}

	@Override
	public void close() {
		close(this.entry);
		cut();
	}

	/**
	 * The port stays open during a cut: another process might get it in the meantime.
	 */
	private synchronized void connect(Socket from) {
		if (this.cut) {
			close(from);
			return;
		}
		Socket to = new Socket();
		this.sockets.add(from);
		this.sockets.add(to);
		start(() -> {
			try (from; to) {
				to.connect(this.target);
				start(() -> pass(to, from));
				pass(from, to);
			}
		});
	}

	private static void pass(Socket from, Socket to) throws IOException {
		try (from; to) {
			from.getInputStream().transferTo(to.getOutputStream());
		}
	}

	private static void start(Errand errand) {
		Thread thread = new Thread(() -> {
			try {
				errand.run();
			}
			catch (IOException ex) {
				logger.debug("A connection ended", ex);
			}
		}, "whizbang-test-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	private static void close(Closeable closeable) {
		try {
			closeable.close();
		}
		catch (IOException ex) {
			logger.debug("It was closed already", ex);
		}
	}

	private interface Errand {

		void run() throws IOException;

	}

}
