import { get, mayWrite, part, post } from "./api.js";
import { confirm } from "./dialog.js";
import { badge, button, h, lasting, number, table, title, when } from "./dom.js";

const ENDPOINT = "whizbangjobs";

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
const failure = (error) => (error ? h("span", { class: "error clip", title: error }, error.split("\n")[0]) : "–");

async function list(reload) {
  const { jobs } = await get(ENDPOINT, { limit: 200 });
  const columns = [
    ["Job", (job) => [h("a", { href: `#/jobs/${part(job.name)}` }, h("b", {}, job.name)), h("small", {}, job.cron ? `${job.cron} · ${job.zone}` : job.every ? `every ${job.every.slice(2).toLowerCase()}` : "on demand")]],
    ["State", state], ["Next run", (job) => when(job.nextRun)], ["Last run", (job) => (job.lastRun ? ran(job.lastRun) : "never")],
    ["Open", (job) => number(job.openRuns)], ["Error", (job) => failure(job.problem || (job.failing && job.lastRun && job.lastRun.error))],
  ];
  if (mayWrite(ENDPOINT)) columns.push(["", (job) => [button("Run now", () => act(job.name, "trigger", reload)), button(job.paused ? "Resume" : "Pause", () => act(job.name, job.paused ? "resume" : "pause", reload))], "actions"]);
  return [title("Jobs", "Each time runs once, over all instances."), table(columns, jobs, "There are no jobs.")];
}

async function show(name, reload) {
  const body = await get(`${ENDPOINT}/${part(name)}`, { limit: 50 });
  return [h("p", {}, h("a", { href: "#/jobs" }, "← Jobs")), title(name),
    mayWrite(ENDPOINT) && h("div", { class: "toolbar" }, button("Run now", () => act(name, "trigger", reload), "primary")),
    table([["Run", (run) => `#${run.id}`], ["Scheduled", (run) => [when(run.scheduledAt), run.triggered && h("small", {}, "triggered by hand")]], ["Status", ran], ["Attempts", (run) => number(run.attempts)],
      ["Instance", (run) => run.instance || "–"], ["Error", (run) => failure(run.error)]], body.runs, "It has never run.")];
}

export const jobs = (parameters, reload, name) => (name ? show(name, reload) : list(reload));
