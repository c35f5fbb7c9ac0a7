import { get, post, part, mayWrite } from "./api.js";
import { chart } from "./chart.js";
import { confirm } from "./dialog.js";
import { badge, button, counted, h, lasting, number, title, when } from "./dom.js";

const HISTORY = 90;
const backlogs = new Map();

function remember(features) {
  features.filter((line) => line.recent).forEach((line) => {
    const values = backlogs.get(line.feature) || [];
    values.push(line.backlog || 0);
    backlogs.set(line.feature, values.slice(-HISTORY));
  });
}

const sum = (lines, pick) => lines.reduce((total, line) => pick(line.recent).map((value, i) => value + (total[i] || 0)), []);

async function toggle(name, paused, reload) {
  const answer = await confirm(paused
    ? { title: `Resume ${name}?`, text: `The worker ${name} goes on, on all instances.`, action: "Resume" }
    : { title: `Pause ${name}?`, text: `The worker ${name} stops on all instances, after what it has under way, until somebody resumes it. It stays paused when the application is restarted.`, action: "Pause", danger: true, note: "Why (optional)" });
  if (!answer) return;
  await post(`whizbang/workers/${part(name)}/${paused ? "resume" : "pause"}`, { note: answer.note });
  reload(`The worker ${name} ${paused ? "goes on" : "pauses"}.`);
}

const NAMES = { waiting: "to be tried again", parked: "behind these", scheduled: "delayed", nextDue: "next due" };
const QUIET = ["waiting", "parked", "scheduled", "failing", "building", "retrying", "stuck"];
const UNITS = { timers: "pending", jobs: "open runs", perspectives: "events behind", joins: "open" };

function detail(name, value) {
  return h("span", {}, `${NAMES[name] || name} `, h("b", {}, name === "nextDue" ? when(value) : number(value)));
}

function card(line, limit, worker, reload) {
  const paused = worker && worker.paused;
  return h("article", { class: "card", id: `feature-${line.feature}` },
    h("h3", {}, line.feature, paused ? badge("paused") : badge(line.state)),
    line.backlog !== undefined && h("div", { class: "big" }, h("b", { "data-value": "backlog" }, counted(line.backlog, limit)), h("span", {}, UNITS[line.feature] || "waiting")),
    h("p", { class: "facts" },
      line.recent && h("span", {}, h("b", { "data-value": "rate" }, line.recent.perSecond.toFixed(1)), " per second here"),
      line.oldestMs !== undefined && h("span", {}, "oldest ", h("b", {}, lasting(line.oldestMs))),
      line.claims !== undefined && h("span", {}, "in work ", h("b", {}, number(line.claims))),
      line.deadLetters !== undefined && h("span", {}, "dead letters ", h("b", { class: line.deadLetters > 0 ? "hot" : "", "data-value": "dead" }, counted(line.deadLetters, limit))),
      Object.entries(line.details).filter(([name, value]) => name !== "ready" && (value !== 0 || !QUIET.includes(name))).map(([name, value]) => detail(name, value))),
    line.problem && h("p", { class: "facts error" }, line.problem),
    paused && h("p", { class: "facts" }, h("span", {}, "Paused by ", h("b", {}, paused.by), " ", when(paused.at), paused.note ? `: ${paused.note}` : "")),
    worker && mayWrite("whizbang") && h("div", { class: "card-foot" }, button(paused ? "Resume" : "Pause", () => toggle(line.feature, paused, reload))));
}

export async function overview(parameters, reload) {
  const [body, workers] = await Promise.all([get("whizbang"), get("whizbang/workers")]);
  remember(body.features);
  const moving = body.features.filter((line) => line.recent);
  const done = sum(moving, (recent) => recent.done), failed = sum(moving, (recent) => recent.failed);
  return [title("Overview", `Backlogs are those of the whole service; what has ended is counted on the instance that answers, ${body.instance.host}:${body.instance.process}.`),
    h("div", { class: "cards" }, body.features.map((line) => card(line, body.countedUpTo, workers.workers.find((worker) => worker.name === line.feature), reload))),
    h("h2", {}, "Right now"),
    h("div", { class: "wide" },
      chart("Ended per second", "the last minute, on this instance", [{ label: "done", values: done }, { label: "failed attempts", values: failed, tone: 2 }]),
      chart("Backlog", "since this page was opened", [...backlogs].map(([label, values]) => ({ label, values }))))];
}
