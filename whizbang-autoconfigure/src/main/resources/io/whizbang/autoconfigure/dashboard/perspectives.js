import { get, mayWrite, part, post, session } from "./api.js";
import { confirm } from "./dialog.js";
import { badge, bar, button, failure, h, key, lasting, number, percent, table, title, when } from "./dom.js";

const ENDPOINT = "whizbangperspectives";

const ASK = {
  rebuild: (name) => ({ title: `Rebuild ${name}?`, text: "The model is emptied and built from the first event on. Until it has caught up, readers see an incomplete one.", action: "Rebuild", danger: true }),
  "rebuild-beside": (name) => ({ title: `Rebuild ${name} beside?`, text: "Another model is built while the present one serves; it takes over when nothing is missing in it.", action: "Rebuild beside" }),
  pause: (name) => ({ title: `Pause ${name}?`, text: "It applies no events on any instance until somebody resumes it.", action: "Pause", danger: true }),
  resume: (name) => ({ title: `Resume ${name}?`, text: "It goes on where it stopped.", action: "Resume" }),
  retry: (name, stream) => ({ title: "Try again?", text: `The stream ${stream} goes on at once in ${name}, with no attempts counted.`, action: "Try again" }),
  skip: (name, stream, version) => ({ title: `Skip event ${version}?`, text: `${name} will never apply event ${version} of the stream ${stream}, and goes on with the next one. It stays on record who left it out.`,
    action: "Skip it", danger: true, note: "Why (optional)" }),
};

const SAID = {
  rebuild: (name) => `${name} is built anew from the events.`,
  "rebuild-beside": (name) => `${name} is built anew beside the one that serves.`,
  pause: (name) => `${name} pauses.`,
  resume: (name) => `${name} goes on.`,
  retry: (name, stream) => `${name} tries ${stream} again.`,
  skip: (name, stream, version) => `${name} goes on without event ${version} of ${stream}.`,
};

async function act(name, action, reload, stream, version) {
  const answer = await confirm(ASK[action](name, stream, version));
  if (!answer) return;
  await post(`${ENDPOINT}/${part(name)}/${action}`, { stream, version: version && String(version), note: answer.note });
  reload(SAID[action](name, stream, version));
}

function actions(run, reload) {
  return [button(run.paused ? "Resume" : "Pause", () => act(run.name, run.paused ? "resume" : "pause", reload)),
    run.state === "serving" && button("Rebuild", () => act(run.name, "rebuild", reload)), run.state === "serving" && button("Rebuild beside", () => act(run.name, "rebuild-beside", reload))];
}

const SIZE = 20;

async function stopped(runs, { name, after }) {
  const names = [...new Set(runs.filter((run) => run.retrying + run.dead > 0).map((run) => run.name))].filter((one) => !name || one === name).slice(0, 10);
  const found = await Promise.all(names.map((one) => get(`${ENDPOINT}/${part(one)}`, { limit: SIZE, after })));
  return found.map((page, index) => ({ name: names[index], streams: page.stopped.map((stream) => ({ ...stream, name: names[index] })) }));
}

function progress(run) {
  const said = [`${percent(run.done, run.total)} %`, `${number(run.done)} of ${number(run.total)}`, run.secondsLeft && run.done < run.total && `${lasting(run.secondsLeft * 1000)} left`];
  return [bar(run.done, run.total, `Progress of ${run.name}, run ${run.run}`), h("small", {}, said.filter(Boolean).join(" · "))];
}

// An event that failed is the one after the last that was applied.
function mend(row, reload) {
  return [button("Try again", () => act(row.name, "retry", reload, row.stream)), button(`Skip event ${number(row.version + 1)}`, () => act(row.name, "skip", reload, row.stream, row.version + 1))];
}

function standing(row) {
  const letter = row.state === "dead" && "whizbangdeadletters" in session.sections;
  return [badge(row.state), letter && h("small", {}, h("a", { href: `#/letters?${new URLSearchParams({ queue: "perspectives", stream: row.stream })}` }, "its letter"))];
}

function list(found, after, reload) {
  const streams = found.flatMap((one) => one.streams), more = found.filter((one) => one.streams.length === SIZE);
  const columns = [
    ["Stream", (row) => [key(row.stream), h("small", {}, row.name)], "wide"], ["State", standing], ["Applied up to", (row) => number(row.version), "num"], ["Attempts", (row) => number(row.attempts), "num"],
    ["Next attempt", (row) => when(row.nextAttemptAt), "time"], ["Error", (row) => failure(row.error), "wide"]];
  if (mayWrite(ENDPOINT)) columns.push(["", (row) => mend(row, reload), "actions"]);
  return [h("h2", {}, "Streams that have stopped"), table(columns, streams, "There are no more."),
    (after || more.length > 0) && h("p", { class: "pages" }, after && h("a", { class: "button", href: "#/perspectives" }, "First page"),
      more.map(({ name, streams: page }) => h("a", { class: "button", href: `#/perspectives?${new URLSearchParams({ name, after: page.at(-1).stream })}` }, `More of ${name}`)))];
}

export async function perspectives(parameters, reload) {
  const { runs } = await get(ENDPOINT);
  const found = await stopped(runs, parameters);
  const columns = [
    ["Perspective", (run) => [h("b", {}, run.name), h("small", {}, `version ${run.version}, run ${run.run}`)], "middle"],
    ["State", (run) => [badge(run.state), run.paused && badge("paused"), h("small", {}, `${run.held} of ${run.shards} parts held`)]],
    ["Progress", progress, "middle"],
    ["Behind", (run) => number(run.behind), "num"], ["Per second", (run) => number(Math.round(run.eventsPerSecond)), "num"],
    ["Stopped", (run) => (run.dead + run.retrying ? [run.dead > 0 && badge(`${number(run.dead)} dead`, "bad"), run.retrying > 0 && badge(`${number(run.retrying)} retrying`, "warn")] : "none")],
    ["Moved", (run) => when(run.movedAt), "time"],
  ];
  if (mayWrite(ENDPOINT)) columns.push(["", (run) => actions(run, reload), "actions"]);
  return [title("Perspectives", "Read models that follow the events."), table(columns, runs, "There are no perspectives."),
    (parameters.after || found.some((one) => one.streams.length > 0)) && list(found, parameters.after, reload)];
}
