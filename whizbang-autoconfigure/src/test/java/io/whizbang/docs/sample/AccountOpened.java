package io.whizbang.docs.sample;

import io.whizbang.event.EventType;

// tag::type[]
@EventType("account-opened")
record AccountOpened(String owner) {
}
// end::type[]
