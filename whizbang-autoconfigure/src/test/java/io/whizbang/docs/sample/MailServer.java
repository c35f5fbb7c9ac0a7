package io.whizbang.docs.sample;

interface MailServer {

	void send(String address, String subject, String idempotencyKey);

}
