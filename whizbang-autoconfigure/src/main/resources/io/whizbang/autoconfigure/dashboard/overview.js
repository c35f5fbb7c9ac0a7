import { get, post, part, mayWrite, session } from "./api.js";
import { attention } from "./attention.js";
import { chart } from "./chart.js";
import { confirm } from "./dialog.js";
import { badge, button, counted, h, lasting, number, title, when } from "./dom.js";

const HISTORY = 90;
const backlogs = new Map(), times = [];

function remember(features) {
  times.push(Date.now());
  times.splice(0, times.length - HISTORY);
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

const NAMES = { fanout: "fan-outs", queues: "work queues" };
const DETAILS = { waiting: "to be tried again", parked: "behind these", scheduled: "delayed", nextDue: "next due", uncountedReports: "reports to be counted" };
const QUIET = ["waiting", "parked", "scheduled", "failing", "building", "retrying", "stuck", "uncountedReports", "paused", "delayed"];
const UNITS = { timers: "pending", jobs: "open runs", perspectives: "behind", joins: "open", fanout: "defined", leases: "held" };
const COUNTS = { fanout: "fanouts", leases: "held" };
const VIEWS = { perspectives: ["whizbangperspectives", "perspectives"], timers: ["whizbangtimers", "more"], jobs: ["whizbangjobs", "jobs"], fanout: ["whizbangfanouts", "more"], joins: ["whizbangjoins", "more"],
  queues: ["whizbangqueues", "more"], leases: ["whizbangleases", "more"], outbox: ["whizbang", "blocked"], inbox: ["whizbang", "blocked"] };

function detail(name, value) {
  return h("span", {}, `${DETAILS[name] || name} `, h("b", {}, name === "nextDue" ? when(value) : number(value)));
}

function dead(line, limit) {
  const count = h("b", { class: line.deadLetters > 0 ? "hot" : "", "data-value": "dead" }, counted(line.deadLetters, limit));
  const linked = line.deadLetters > 0 && "whizbangdeadletters" in session.sections;
  return linked ? h("a", { href: `#/letters?queue=${line.feature}` }, "dead letters ", count) : h("span", {}, "dead letters ", count);
}

function heading(line) {
  const [endpoint, view] = VIEWS[line.feature] || [];
  return endpoint in session.sections ? h("a", { href: `#/${view}` }, line.name) : h("span", {}, line.name);
}

function card(line, limit, worker, reload) {
  const paused = worker && worker.paused, main = line.backlog ?? line.details[COUNTS[line.feature]];
  return h("article", { class: line.recent ? "card large" : "card", id: `feature-${line.feature}` },
    h("h3", {}, heading(line), paused ? badge("paused") : badge(line.state)),
    h("div", { class: "big" }, main !== undefined && h("div", {}, h("b", { "data-value": "backlog" }, counted(main, limit)), h("span", {}, UNITS[line.feature] || "waiting")),
      worker && mayWrite("whizbang") && button(paused ? "Resume" : "Pause", () => toggle(line.feature, paused, reload), "small push")),
    h("p", { class: "facts" },
      line.recent && h("span", {}, h("b", { "data-value": "rate" }, line.recent.perSecond.toFixed(1)), " per second here"),
      line.oldestMs !== undefined && h("span", {}, "oldest ", h("b", {}, lasting(line.oldestMs))),
      line.claims !== undefined && h("span", {}, "in work ", h("b", {}, number(line.claims))),
      line.deadLetters !== undefined && dead(line, limit),
      Object.entries(line.details).filter(([name, value]) => name !== "ready" && name !== COUNTS[line.feature] && (value !== 0 || !QUIET.includes(name))).map(([name, value]) => detail(name, value))),
    line.problem && h("p", { class: "facts error" }, line.problem),
    paused && h("p", { class: "facts" }, h("span", {}, "Paused by ", h("b", {}, paused.by), " ", when(paused.at), paused.note ? `: ${paused.note}` : "")));
}

export async function overview(parameters, reload) {
  const [body, workers, { instances }] = await Promise.all([get("whizbang"), get("whizbang/workers"), get("whizbang/instances")]);
  remember(body.features);
  const lines = body.features.map((line) => ({ ...line, name: NAMES[line.feature] || line.feature }));
  const moving = body.features.filter((line) => line.recent);
  const done = sum(moving, (recent) => recent.done), failed = sum(moving, (recent) => recent.failed);
  return [title("Overview", `Backlogs are those of the whole service; what has ended is counted on the instance that answers, ${body.instance.host}:${body.instance.process}.`),
    attention(lines, workers.workers, instances, body.countedUpTo),
    h("div", { class: "cards" }, lines.map((line) => card(line, body.countedUpTo, workers.workers.find((worker) => worker.name === line.feature), reload))),
    h("h2", {}, "Right now"),
    h("div", { class: "charts" },
      chart("Ended per second", "on this instance", "a minute ago", [{ label: "done", values: done, tone: "c0" }, { label: "failed attempts", values: failed, tone: "alarm" }]),
      chart("Backlog", "of the whole service, since this page was opened", times.length > 1 ? when(new Date(times[0]).toISOString()) : "", [...backlogs].map(([feature, values]) => ({ label: NAMES[feature] || feature, values }))))];
}
