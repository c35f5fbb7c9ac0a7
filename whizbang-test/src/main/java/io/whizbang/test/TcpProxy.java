package io.whizbang.test;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A wire to a server that a test can cut and mend. Its port stays the same.
 */
public final class TcpProxy implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(TcpProxy.class);

	private final InetSocketAddress target;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final int port;

	private @Nullable ServerSocket entry;

	/**
	 * Creates a wire that is whole.
	 * @param host where the server is
	 * @param port its port
	 */
	public TcpProxy(String host, int port) {
		this.target = new InetSocketAddress(host, port);
		ServerSocket opened = open(0);
		this.port = opened.getLocalPort();
		accept(opened);
	}

	public int port() {
		return this.port;
	}

	/** Breaks all connections, and refuses new ones. */
	public synchronized void cut() {
		if (this.entry != null) {
			close(this.entry);
			this.entry = null;
		}
		this.sockets.forEach(TcpProxy::close);
		this.sockets.clear();
	}

	/** Lets connections in again. */
	public synchronized void mend() {
		if (this.entry == null) {
			accept(open(this.port));
		}
	}

	@Override
	public void close() {
		cut();
	}

	private static ServerSocket open(int port) {
		try {
			ServerSocket socket = new ServerSocket();
			socket.setReuseAddress(true);
			socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
			return socket;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot listen on port " + port, ex);
		}
	}

	private synchronized void accept(ServerSocket opened) {
		this.entry = opened;
		start(() -> {
			while (!opened.isClosed()) {
				connect(opened, opened.accept());
			}
		});
	}

	private void connect(ServerSocket opened, Socket from) throws IOException {
		Socket to = new Socket();
		synchronized (this) {
			if (this.entry != opened) {
				close(from);
				return;
			}
			this.sockets.add(from);
			this.sockets.add(to);
		}
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
