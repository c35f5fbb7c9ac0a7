package io.whizbang.docs.sample;

import java.math.BigDecimal;

import io.whizbang.message.StreamId;
import io.whizbang.perspective.EntityPerspective;
import io.whizbang.perspective.On;
import io.whizbang.perspective.Perspective;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

// tag::entity[]
@Perspective(name = "account-list")
class AccountList implements EntityPerspective<AccountRow, String> {

	@On
	AccountRow opened(AccountOpened event, StreamId account) {
		return new AccountRow(account.key(), event.owner());
	}

	@On
	void moved(MoneyMoved event, AccountRow row) {
		row.add(event.amount());
	}

	@On
	@Nullable AccountRow closed(AccountClosed event) {
		return null;
	}

}
// end::entity[]

@Entity
class AccountRow {

	@Id
	private String account;

	private String owner;

	private BigDecimal balance = BigDecimal.ZERO;

	protected AccountRow() {
		this("", "");
	}

	AccountRow(String account, String owner) {
		this.account = account;
		this.owner = owner;
	}

	void add(BigDecimal amount) {
		this.balance = this.balance.add(amount);
	}

	String getAccount() {
		return this.account;
	}

	String getOwner() {
		return this.owner;
	}

	BigDecimal getBalance() {
		return this.balance;
	}

}
