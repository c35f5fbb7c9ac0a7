package io.whizbang.autoconfigure.endpoint;

/**
 * Why nothing was done.
 *
 * @param error what, which, and what to do
 */
record Problem(String error) {
}
