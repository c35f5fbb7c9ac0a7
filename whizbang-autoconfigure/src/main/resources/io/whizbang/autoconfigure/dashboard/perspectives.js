import { get, mayWrite, part, post } from "./api.js";
import { confirm } from "./dialog.js";
import { badge, bar, button, h, lasting, number, table, title, when } from "./dom.js";

const ENDPOINT = "whizbangperspectives";

const ASK = {
  rebuild: (name) => ({ title: `Rebuild ${name}?`, text: "The model is emptied and built from the first event on. Until it has caught up, readers see an incomplete one.", action: "Rebuild", danger: true }),
  "rebuild-beside": (name) => ({ title: `Rebuild ${name} beside?`, text: "Another model is built while the present one serves; it takes over when nothing is missing in it.", action: "Rebuild beside" }),
  pause: (name) => ({ title: `Pause ${name}?`, text: "It applies no events on any instance until somebody resumes it.", action: "Pause", danger: true }),
  resume: (name) => ({ title: `Resume ${name}?`, text: "It goes on where it stopped.", action: "Resume" }),
  retry: (name, stream) => ({ title: `Try ${stream} again?`, text: `The stream goes on at once in ${name}, with no attempts counted.`, action: "Try again" }),
};

async function act(name, action, reload, stream) {
  const answer = await confirm(ASK[action](name, stream));
  if (!answer) return;
  await post(`${ENDPOINT}/${part(name)}/${action}`, { stream });
  reload(`${name}: ${action.replace("-", " ")} has begun.`);
}

function actions(run, reload) {
  return [button(run.paused ? "Resume" : "Pause", () => act(run.name, run.paused ? "resume" : "pause", reload)),
    run.state === "serving" && button("Rebuild", () => act(run.name, "rebuild", reload)), run.state === "serving" && button("Rebuild beside", () => act(run.name, "rebuild-beside", reload))];
}

async function stopped(runs) {
  const names = [...new Set(runs.filter((run) => run.retrying + run.dead > 0).map((run) => run.name))].slice(0, 10);
  const pages = await Promise.all(names.map((name) => get(`${ENDPOINT}/${part(name)}`, { limit: 20 })));
  return pages.flatMap((page, i) => page.stopped.map((stream) => ({ ...stream, name: names[i] })));
}

export async function perspectives(parameters, reload) {
  const { runs } = await get(ENDPOINT);
  const streams = await stopped(runs);
  const columns = [
    ["Perspective", (run) => [h("b", {}, run.name), h("small", {}, `version ${run.version}, run ${run.run}`)]],
    ["State", (run) => [badge(run.state), run.paused && badge("paused"), h("small", {}, `${run.held} of ${run.shards} parts in work`)]],
    ["Progress", (run) => [bar(run.done, run.total), h("small", {}, `${number(run.done)} of ${number(run.total)}${run.secondsLeft ? `, ${lasting(run.secondsLeft * 1000)} left` : ""}`)]],
    ["Behind", (run) => number(run.behind)], ["Per second", (run) => run.eventsPerSecond.toFixed(0)],
    ["Stopped streams", (run) => (run.dead + run.retrying ? [run.dead > 0 && badge(`${number(run.dead)} dead`, "bad"), run.retrying > 0 && badge(`${number(run.retrying)} retrying`, "warn")] : "none")],
    ["Moved", (run) => when(run.movedAt)],
  ];
  if (mayWrite(ENDPOINT)) columns.push(["", (run) => actions(run, reload), "actions"]);
  return [title("Perspectives", "Read models that follow the events."), table(columns, runs, "There are no perspectives."),
    streams.length > 0 && [h("h2", {}, "Streams that have stopped"), table([
      ["Stream", (row) => [h("b", {}, row.stream), h("small", {}, row.name)]], ["State", (row) => badge(row.state)], ["At version", (row) => number(row.version)], ["Attempts", (row) => number(row.attempts)],
      ["Next attempt", (row) => when(row.nextAttemptAt)], ["Error", (row) => h("span", { class: "error clip", title: row.error }, (row.error || "–").split("\n")[0])],
      ["", (row) => mayWrite(ENDPOINT) && button("Try again", () => act(row.name, "retry", reload, row.stream)), "actions"]], streams, "")]];
}
