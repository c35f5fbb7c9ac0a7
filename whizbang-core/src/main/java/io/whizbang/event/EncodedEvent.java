package io.whizbang.event;

/**
 * An event that is ready to be stored.
 *
 * @param event the event, with all that is known about it
 * @param type name and version of its type
 * @param metadata the metadata as JSON
 * @param payload the payload as JSON
 */
record EncodedEvent(NewEvent event, EventTypeName type, String metadata, String payload) {

}
