import { get, mayWrite, part, post, session } from "./api.js";
import { confirm } from "./dialog.js";
import { badge, button, h, key, number, table, title, when } from "./dom.js";

async function run(topic, reload) {
  if (!(await confirm({ title: `Run ${topic} now?`, text: "Its planner is asked at once.", action: "Run now" }))) return;
  await post(`whizbangfanouts/${part(topic)}/run`);
  reload(`The fan-out ${topic} was asked to run.`);
}

async function toggle(queue, reload) {
  const action = queue.paused ? "resume" : "pause";
  const text = queue.paused ? "Its messages are handed out again." : "Nothing of it is handed out, by any instance, until it is resumed.";
  if (!(await confirm({ title: `${queue.paused ? "Resume" : "Pause"} ${queue.name}?`, text, action: queue.paused ? "Resume" : "Pause" }))) return;
  await post(`whizbangqueues/${part(queue.name)}/${action}`);
  reload(`The work queue ${queue.name} was ${action}d.`);
}

const PARTS = {
  whizbangqueues: async (reload) => {
    const body = await get("whizbangqueues", { limit: 25 });
    return [h("h2", {}, "Work queues"), table([["Queue", (row) => h("b", {}, row.name)], ["State", (row) => [badge(row.paused ? "paused" : "ready"), row.paused && h("small", {}, row.pausedBy && `by ${row.pausedBy} `, when(row.pausedAt))]],
      ["Messages", (row) => number(row.messages), "num"], ["Delayed", (row) => number(row.delayed), "num"], ["Keys ready", (row) => number(row.readyKeys), "num"],
      ["Keys waiting", (row) => number(row.waitingKeys), "num"], ["Keys locked", (row) => number(row.lockedKeys), "num"], ["Dead letters", (row) => number(row.deadLetters), "num"],
      ["", (row) => mayWrite("whizbangqueues") && button(row.paused ? "Resume" : "Pause", () => toggle(row, reload)), "actions"]], body.queues, "There are no work queues.")];
  },
  whizbangtimers: async () => {
    const body = await get("whizbangtimers", { limit: 25 });
    return [h("h2", {}, "Timers"), table([["Topic", (row) => h("b", {}, row.topic)], ["Key", (row) => key(row.key), "wide"], ["Stream", (row) => key(row.stream), "wide"], ["Due", (row) => when(row.due), "time"]], body.timers, "No timer is pending."),
      body.next && h("p", { class: "lead" }, `${number(body.pending)}${body.pending >= 10000 ? "+" : ""} are pending; these are the next ones.`)];
  },
  whizbangfanouts: async (reload) => {
    const body = await get("whizbangfanouts");
    return [h("h2", {}, "Fan-outs"), table([["Topic", (row) => h("b", {}, row.topic)], ["Times", (row) => row.cron || row.interval], ["Next run", (row) => when(row.nextRun), "time"], ["Last run", (row) => when(row.endedAt), "time"],
      ["Planned", (row) => (row.candidates === undefined ? "–" : `${number(row.planned)} of ${number(row.candidates)}`), "time"], ["State", (row) => (row.failures ? badge(`failed ${row.failures}×`, "bad") : badge("ready"))],
      ["", (row) => mayWrite("whizbangfanouts") && button("Run now", () => run(row.topic, reload)), "actions"]], body.fanouts, "There are no fan-outs.")];
  },
  whizbangjoins: async () => {
    const body = await get("whizbangjoins", { limit: 25 });
    return [h("h2", {}, "Open joins"), table([["Join", (row) => [key(row.key || row.id), row.key && h("small", {}, row.id)], "wide"], ["Expected", (row) => number(row.expected), "num"], ["Attached", (row) => number(row.attached), "num"],
      ["Done", (row) => number(row.done), "num"], ["Failed", (row) => number(row.failed), "num"]], body.joins, "No join is open.")];
  },
  whizbangleases: async () => {
    const body = await get("whizbangleases", { limit: 50 });
    return [h("h2", {}, "Leases"), table([["Name", (row) => h("b", {}, row.name)], ["Holder", (row) => key(row.holder), "wide"], ["Since", (row) => when(row.acquiredAt), "time"], ["Until", (row) => when(row.expiresAt), "time"], ["Token", (row) => number(row.token), "num"]], body.leases, "Nobody holds a lease.")];
  },
};

export async function more(parameters, reload) {
  const parts = await Promise.all(Object.keys(PARTS).filter((endpoint) => endpoint in session.sections).map((endpoint) => PARTS[endpoint](reload)));
  return [title("Work queues, timers, fan-outs, joins, leases"), parts];
}
