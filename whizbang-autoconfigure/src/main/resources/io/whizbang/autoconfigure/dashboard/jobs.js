import { get, mayWrite, part, post } from "./api.js";
import { confirm } from "./dialog.js";
import { badge, button, facts, failure, h, key, lasting, number, pages, table, title, when } from "./dom.js";

const ENDPOINT = "whizbangjobs", SIZE = 50;

const ASK = {
  trigger: (name) => ({ title: `Run ${name} now?`, text: "It runs once, beside its times.", action: "Run now" }),
  pause: (name) => ({ title: `Pause ${name}?`, text: "Its times pass without a run until somebody resumes it.", action: "Pause", danger: true }),
  resume: (name) => ({ title: `Resume ${name}?`, text: "It goes on with its next time.", action: "Resume" }),
};

async function act(name, action, reload) {
  if (!(await confirm(ASK[action](name)))) return;
  const result = await post(`${ENDPOINT}/${part(name)}/${action}`);
  reload(result.triggered ? `Run ${result.triggered} of ${name} was triggered.` : `${name}: ${action}d.`);
}

const state = (job) => (job.problem ? badge("failing") : job.paused ? badge("paused") : !job.enabled ? badge("disabled") : job.failing ? badge("failing") : badge("ready"));
const ran = (run) => [badge(run.status), h("small", {}, when(run.startedAt || run.scheduledAt), run.durationMs !== undefined ? `, took ${run.durationMs < 1000 ? `${run.durationMs} ms` : lasting(run.durationMs)}` : "")];

const times = (job) => (job.cron ? `${job.cron} · ${job.zone}` : job.every ? `every ${job.every.slice(2).toLowerCase()}` : "on demand");

async function list(reload) {
  const { jobs } = await get(ENDPOINT, { limit: 200 });
  const columns = [
    ["Job", (job) => [h("a", { href: `#/jobs/${part(job.name)}` }, h("b", {}, job.name)), h("small", {}, times(job))], "middle"],
    ["State", state], ["Next run", (job) => when(job.nextRun), "time"], ["Last run", (job) => (job.lastRun ? ran(job.lastRun) : "never")],
    ["Open runs", (job) => number(job.openRuns), "num"], ["Error", (job) => failure(job.problem || (job.failing && job.lastRun && job.lastRun.error)), "wide"],
  ];
  if (mayWrite(ENDPOINT)) columns.push(["", (job) => [button("Run now", () => act(job.name, "trigger", reload)), button(job.paused ? "Resume" : "Pause", () => act(job.name, job.paused ? "resume" : "pause", reload))], "actions"]);
  return [title("Jobs", "Each time runs once, over all instances."), table(columns, jobs, "There are no jobs.")];
}

async function show(name, before, reload) {
  const body = await get(`${ENDPOINT}/${part(name)}`, { limit: SIZE, before });
  const job = body.jobs[0];
  return [h("p", { class: "back" }, h("a", { href: "#/jobs" }, "← Jobs")),
    h("div", { class: "head" }, title(name), state(job), mayWrite(ENDPOINT) && h("span", { class: "push" }, button("Run now", () => act(name, "trigger", reload), "primary"),
      button(job.paused ? "Resume" : "Pause", () => act(name, job.paused ? "resume" : "pause", reload), ""))),
    h("div", { class: "panel" }, facts([["Times", times(job)], ["Next run", when(job.nextRun)], ["Missed times", job.misfire], ["Overlap", job.overlap ? "allowed" : "not allowed"], ["Handler", job.handler && !job.handlerPresent ? `${job.handler}, which no instance has` : job.handler],
      ["Problem", job.problem && h("span", { class: "error" }, job.problem)]])),
    h("h2", {}, "Runs"),
    table([["Run", (run) => `#${run.id}`, "time"], ["Scheduled", (run) => [when(run.scheduledAt), run.triggered && h("small", {}, "triggered by hand")], "time"], ["Status", ran], ["Attempts", (run) => number(run.attempts), "num"],
      ["Instance", (run) => key(run.instance)], ["Error", (run) => failure(run.error), "wide"]], body.runs, "It has never run."),
    pages(before && `#/jobs/${part(name)}`, body.runs.length === SIZE && `#/jobs/${part(name)}?before=${body.runs.at(-1).id}`)];
}

export const jobs = (parameters, reload, name) => (name ? show(name, parameters.before, reload) : list(reload));
