import { get, session } from "./api.js";
import { badge, failure, h, key, number, pages, table, title, when } from "./dom.js";

const WHY = { "waits-for-retry": "waits for its next attempt", "in-work": "in work", unclaimed: "due, nobody has it" };
const QUEUES = ["outbox", "inbox"], SIZE = 50;

const page = (queue, after) => get(`whizbang/blocked/${queue}`, { limit: SIZE, after });
const place = (queue, after) => `#/blocked?${new URLSearchParams({ queue, after })}`;

export async function blocked({ queue, after }) {
  const asked = QUEUES.includes(queue) ? [queue] : QUEUES;
  const found = await Promise.all(asked.map((name) => page(name, asked.length === 1 ? after : undefined)));
  const streams = found.flatMap((one) => one.streams);
  const more = asked.filter((name, index) => found[index].next);
  return [title("Blocked streams", ["The first message of these streams has failed and is tried again; those behind it wait. No other stream does.",
    "whizbangperspectives" in session.sections && [" What stopped in a read model is with the ", h("a", { href: "#/perspectives" }, "perspectives"), "."]]),
    table([
      ["Stream", (row) => [row.stream ? key(row.stream) : h("b", {}, "single message"), h("small", {}, `${row.queue} · ${row.topic}`)], "wide"],
      ["Why", (row) => [badge(WHY[row.reason] || row.reason, row.reason === "in-work" ? "good" : "warn"), row.holder && h("small", {}, `held by ${row.holder}`)]],
      ["Attempts", (row) => number(row.attempts), "num"],
      ["Behind it", (row) => (row.behind >= 1000 ? "1,000+" : number(row.behind)), "num"],
      ["Next attempt", (row) => when(row.nextAttemptAt), "time"],
      ["Waiting since", (row) => when(row.createdAt), "time"],
      ["Error", (row) => failure(row.error), "wide"],
    ], streams, after ? "There are no more." : "No stream is blocked."),
    asked.length === 1 ? pages("#/blocked", more.length > 0 && place(queue, found[0].next))
      : more.length > 0 && h("p", { class: "pages" }, more.map((name) => h("a", { class: "button", href: place(name, found[asked.indexOf(name)].next) }, `More of the ${name}`)))];
}
