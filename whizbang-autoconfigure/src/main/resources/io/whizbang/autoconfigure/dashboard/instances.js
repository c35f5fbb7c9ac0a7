import { get } from "./api.js";
import { badge, h, lasting, number, table, title, when } from "./dom.js";

export async function instances() {
  const [body, workers] = await Promise.all([get("whizbang/instances"), get("whizbang/workers")]);
  return [title("Instances", "Who shares the work. An instance whose workers are all paused is not listed; jobs and fan-outs need no registration."),
    table([
      ["Instance", (row) => [h("b", {}, `${row.host}:${row.process}`), row.here && [" ", badge("this one", "good")], h("small", {}, row.service)]],
      ["Heartbeat", (row) => [badge(`${lasting(row.silentMs)} ago`, row.silentMs > 30000 ? "bad" : "good")]],
      ["Started", (row) => when(row.startedAt)],
      ["Workers", (row) => row.workers.map((worker) => h("div", {}, h("b", {}, worker.queue), ` rank ${worker.rank + 1} of ${worker.members}`, worker.claims > 0 && ` · holds ${number(worker.messages)} in ${worker.claims} claims`))],
    ], body.instances, "No instance is registered."),
    h("h2", {}, "Workers of this instance"),
    table([["Worker", (row) => h("b", {}, row.name)], ["Here", (row) => badge(row.state)],
      ["On all instances", (row) => (row.paused ? [badge("paused"), h("small", {}, `by ${row.paused.by} `, when(row.paused.at), row.paused.note ? `: ${row.paused.note}` : "")] : "–")]], workers.workers, "There are no workers here.")];
}
