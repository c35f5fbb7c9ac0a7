package io.whizbang.docs.sample;

import io.whizbang.event.EventType;

// tag::type[]
@EventType("account-closed")
record AccountClosed() {
}
// end::type[]
