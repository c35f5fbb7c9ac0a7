import { get } from "./api.js";
import { badge, h, lasting, number, table, title, when } from "./dom.js";

// One that is well says so every ten seconds.
export const silent = (instance) => instance.silentMs > 15000;

export async function instances() {
  const [body, workers] = await Promise.all([get("whizbang/instances"), get("whizbang/workers")]);
  return [title("Instances", "Who shares the work. What a silent one holds is taken over when its lease ends, or sooner when the database has seen its session end. An instance whose workers are all paused is not listed; jobs and fan-outs need no registration."),
    table([
      ["Instance", (row) => [h("b", {}, `${row.host}:${row.process}`), row.here && [" ", badge("this one", "good")], h("small", {}, row.service)]],
      ["Heartbeat", (row) => [badge(silent(row) ? `silent for ${lasting(row.silentMs)}` : row.silentMs < 1000 ? "now" : `${lasting(row.silentMs)} ago`, silent(row) ? "bad" : "good")], "time"],
      ["Started", (row) => when(row.startedAt), "time"],
      ["Workers", (row) => [...row.workers].sort((a, b) => a.queue.localeCompare(b.queue)).map((worker) => h("div", {}, h("b", {}, worker.queue), ` rank ${worker.rank + 1} of ${worker.members}`,
        worker.claims > 0 && ` · holds ${number(worker.messages)} in ${number(worker.claims)} ${worker.claims === 1 ? "claim" : "claims"}`)), "wide"],
    ], body.instances, "No instance is registered."),
    h("h2", {}, "Workers of this instance"),
    table([["Worker", (row) => h("b", {}, row.name)], ["Here", (row) => badge(row.state)],
      ["On all instances", (row) => (row.paused ? [badge("paused"), h("small", {}, `by ${row.paused.by} `, when(row.paused.at), row.paused.note ? `: ${row.paused.note}` : "")] : "–")]], workers.workers, "There are no workers here.")];
}
