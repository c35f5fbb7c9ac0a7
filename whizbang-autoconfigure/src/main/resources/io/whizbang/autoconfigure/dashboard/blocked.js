import { get } from "./api.js";
import { badge, h, number, table, title, when } from "./dom.js";

const WHY = { "waits-for-retry": "waits for its next attempt", "in-work": "in work", unclaimed: "due, and no instance has claimed it" };

export async function blocked() {
  const pages = await Promise.all(["outbox", "inbox"].map((queue) => get(`whizbang/blocked/${queue}`, { limit: 50 }).catch((problem) => ({ streams: [], problem }))));
  const streams = pages.flatMap((page) => page.streams);
  return [title("Blocked streams", "The first message of these streams has failed and is tried again; those behind it wait. No other stream does."),
    table([
      ["Stream", (row) => [h("b", {}, row.stream || "single message"), h("small", {}, `${row.queue} · ${row.topic}`)]],
      ["Why", (row) => [badge(WHY[row.reason] || row.reason, row.reason === "in-work" ? "good" : "warn"), row.holder && h("small", {}, `held by ${row.holder}`)]],
      ["Attempts", (row) => number(row.attempts)],
      ["Behind it", (row) => (row.behind >= 1000 ? "1,000+" : number(row.behind))],
      ["Next attempt", (row) => when(row.nextAttemptAt)],
      ["Waiting since", (row) => when(row.createdAt)],
      ["Error", (row) => (row.error ? h("span", { class: "error clip", title: row.error }, row.error.split("\n")[0]) : "–")],
    ], streams, "No stream is blocked."),
    pages.some((page) => page.next) && h("p", { class: "lead" }, "There are more; these are the first that are due.")];
}
