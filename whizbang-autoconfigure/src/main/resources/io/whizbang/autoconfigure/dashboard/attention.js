import { session } from "./api.js";
import { counted, h, lasting, number } from "./dom.js";
import { silent } from "./instances.js";

const many = (count, one, more) => `${number(count)} ${count === 1 ? one : more}`;

// Where a feature's problem can be looked at.
const PLACES = { jobs: ["#/jobs", "whizbangjobs"], fanout: ["#/more", "whizbangfanouts"], joins: ["#/more", "whizbangjoins"] };

// What somebody should know or decide, the worst first; [tone, text, where to go, endpoint of that].
function findings(lines, workers, instances, limit) {
  const found = [];
  const say = (tone, text, view, endpoint = "whizbang") => found.push({ tone, text, view: endpoint in session.sections && view });
  lines.forEach(({ feature, state, problem, deadLetters = 0, details, name }) => {
    if (problem) say("bad", `${name}: ${problem}`, ...(PLACES[feature] || []));
    else if (!["running", "ready", "paused", "pausing", "unused"].includes(state)) say("bad", `${name}: ${state}`, "#/instances");
    if (deadLetters > 0) say("bad", `${counted(deadLetters, limit)} dead ${deadLetters === 1 ? "letter" : "letters"} in ${name}`, `#/letters?queue=${feature}`, "whizbangdeadletters");
    if (feature === "perspectives" && details.retrying > 0) say("warn", `${many(details.retrying, "stream is", "streams are")} tried again in ${name}`, "#/perspectives", "whizbangperspectives");
    else if (details.waiting > 0) say("warn", `${many(details.waiting, "message is", "messages are")} tried again in ${name}`, "#/blocked");
    if (feature === "queues" && details.paused > 0) say("warn", `${many(details.paused, "work queue is", "work queues are")} paused`, "#/more", "whizbangqueues");
  });
  instances.filter(silent).forEach((instance) => say("bad", `Instance ${instance.host}:${instance.process} is silent for ${lasting(instance.silentMs)}`, "#/instances"));
  workers.filter((worker) => worker.paused).forEach(({ name, paused }) => say("warn", `Worker ${name} is paused by ${paused.by}${paused.note ? `: ${paused.note}` : ""}`, "#/instances"));
  return found.sort((a, b) => a.tone.localeCompare(b.tone));
}

export function attention(lines, workers, instances, limit) {
  const found = findings(lines, workers, instances, limit);
  if (found.length === 0) return h("p", { class: "calm", id: "attention" }, "Nothing needs you.");
  return h("ul", { class: "panel attention", id: "attention", "aria-label": "What needs somebody" }, found.map(({ tone, text, view }) => h("li", { class: tone }, view ? h("a", { href: view }, text) : text)));
}
