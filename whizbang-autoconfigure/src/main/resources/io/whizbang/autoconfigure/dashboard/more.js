import { get, mayWrite, part, post, session } from "./api.js";
import { confirm } from "./dialog.js";
import { badge, button, h, number, table, title, when } from "./dom.js";

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
    return [h("h2", {}, "Work queues"), table([["Queue", (row) => h("b", {}, row.name)], ["Messages", (row) => number(row.messages)], ["Delayed", (row) => number(row.delayed)], ["Keys ready", (row) => number(row.readyKeys)],
      ["Waiting", (row) => number(row.waitingKeys)], ["Locked", (row) => number(row.lockedKeys)], ["Dead letters", (row) => number(row.deadLetters)], ["State", (row) => badge(row.paused ? "paused" : "ready")],
      ["", (row) => mayWrite("whizbangqueues") && button(row.paused ? "Resume" : "Pause", () => toggle(row, reload)), "actions"]], body.queues, "There are no work queues.")];
  },
  whizbangtimers: async () => {
    const body = await get("whizbangtimers", { limit: 25 });
    return [h("h2", {}, "Timers"), table([["Topic", (row) => h("b", {}, row.topic)], ["Key", (row) => row.key || "–"], ["Stream", (row) => row.stream || "–"], ["Due", (row) => when(row.due)]], body.timers, "No timer is pending."),
      body.next && h("p", { class: "lead" }, `${number(body.pending)}${body.pending >= 10000 ? "+" : ""} are pending; these are the next ones.`)];
  },
  whizbangfanouts: async (reload) => {
    const body = await get("whizbangfanouts");
    return [h("h2", {}, "Fan-outs"), table([["Topic", (row) => h("b", {}, row.topic)], ["Times", (row) => row.cron || row.interval], ["Next run", (row) => when(row.nextRun)], ["Last run", (row) => when(row.endedAt)],
      ["Planned", (row) => `${number(row.planned)} of ${number(row.candidates)}`], ["State", (row) => (row.failures ? badge(`failed ${row.failures}×`, "bad") : badge("ready"))],
      ["", (row) => mayWrite("whizbangfanouts") && button("Run now", () => run(row.topic, reload)), "actions"]], body.fanouts, "There are no fan-outs.")];
  },
  whizbangjoins: async () => {
    const body = await get("whizbangjoins", { limit: 25 });
    return [h("h2", {}, "Open joins"), table([["Join", (row) => [h("b", {}, row.key || row.id), h("small", {}, row.id)]], ["Expected", (row) => number(row.expected)], ["Attached", (row) => number(row.attached)],
      ["Done", (row) => number(row.done)], ["Failed", (row) => number(row.failed)]], body.joins, "No join is open.")];
  },
  whizbangleases: async () => {
    const body = await get("whizbangleases", { limit: 50 });
    return [h("h2", {}, "Leases"), table([["Name", (row) => h("b", {}, row.name)], ["Holder", (row) => row.holder], ["Since", (row) => when(row.acquiredAt)], ["Until", (row) => when(row.expiresAt)], ["Token", (row) => number(row.token)]], body.leases, "Nobody holds a lease.")];
  },
};

export async function more(parameters, reload) {
  const parts = await Promise.all(Object.keys(PARTS).filter((endpoint) => endpoint in session.sections).map((endpoint) => PARTS[endpoint](reload)));
  return [title("Work queues, timers, fan-outs, joins, leases"), parts];
}
