import { get, mayWrite, part, post, remove } from "./api.js";
import { confirm } from "./dialog.js";
import { badge, button, facts, failure, h, key, number, pages, table, title, when } from "./dom.js";

const ENDPOINT = "whizbangdeadletters";

function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

async function replay(letter, reload, back) {
  const answer = await confirm({ title: `Replay letter ${letter.id}?`, text: `The message goes to the end of its stream${letter.stream ? ` ${letter.stream}` : ""} and is tried again.`, action: "Replay", note: "Note for the audit (optional)" });
  if (!answer) return;
  await post(`${ENDPOINT}/${letter.id}`, { note: answer.note });
  reload(`Letter ${letter.id} was replayed.`, back);
}

async function discard(letter, reload, back) {
  const answer = await confirm({ title: `Discard letter ${letter.id}?`, text: "The message is deleted for good. The audit keeps who did it, and what it was.", action: "Discard", danger: true, note: "Note for the audit (optional)" });
  if (!answer) return;
  await remove(`${ENDPOINT}/${letter.id}`, { note: answer.note });
  reload(`Letter ${letter.id} was discarded.`, back);
}

async function replayAll({ reason, queue, topic, source }, reload) {
  const answer = await confirm({ title: `Replay all with the reason ${reason}?`, text: `All dead letters${queue ? ` of the ${queue}` : ""}${topic ? ` with the topic ${topic}` : ""}${source ? ` from ${source}` : ""} with this reason are tried again, also those that are not on this page.`, action: "Replay all", note: "Note for the audit (optional)" });
  if (!answer) return;
  const result = await post(ENDPOINT, { reason, queue: queue || undefined, topic: topic || undefined, source: source || undefined, note: answer.note });
  reload(`${number(result.count)} letters were replayed.`);
}

function filters(parameters) {
  const select = (name, label, values) => h("label", {}, label, h("select", { name }, values.map(([value, text]) => h("option", { value, selected: (parameters[name] || "") === value }, text))));
  const field = (name, label) => h("label", {}, label, h("input", { name, value: parameters[name] || "", autocomplete: "off" }));
  const form = h("form", { class: "toolbar" },
    select("queue", "Queue", [["", "all"], ["outbox", "outbox"], ["inbox", "inbox"], ["perspectives", "perspectives"], ["queues", "work queues"]]),
    field("reason", "Reason"), field("topic", "Topic"), field("stream", "Stream"), h("button", { type: "submit" }, "Filter"),
    Object.keys(parameters).length > 0 && h("a", { class: "button quiet", href: "#/letters" }, "Show all"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.hash = filtered({}, Object.fromEntries(new FormData(form)));
  });
  return form;
}

function filtered(parameters, change) {
  const query = new URLSearchParams(Object.entries({ ...parameters, before: "", ...change }).filter(([, value]) => value));
  return `#/letters${query.size ? `?${query}` : ""}`;
}

async function list(parameters, reload) {
  const page = await get(ENDPOINT, { ...parameters, limit: 50 });
  const write = mayWrite(ENDPOINT), reason = parameters.reason;
  const toolbar = filters(parameters);
  // Nobody can decide about all letters of one stream, so that is not offered where the list shows one.
  if (write && reason && !parameters.stream && page.letters.length) toolbar.append(h("span", { class: "push" }, button(`Replay all: ${reason}`, () => replayAll(parameters, reload), "")));
  const columns = [
    ["Letter", (row) => [h("a", { href: `#/letters/${row.id}` }, h("b", {}, `#${row.id}`)), h("small", {}, when(row.diedAt))], "time"],
    ["From", (row) => [row.queue, h("small", {}, row.topic || row.source)], "middle"],
    ["Stream", (row) => key(row.stream), "wide"],
    ["Reason", (row) => [h("a", { class: "plain", href: filtered(parameters, { reason: row.reason }), title: "Only these" }, badge(row.reason, "bad")), h("small", {}, `${number(row.attempts)} attempts${row.replays ? `, replayed ${row.replays}×` : ""}`)]],
    ["Error", (row) => failure(row.error), "wide"],
  ];
  if (write) columns.push(["", (row) => [row.messageId && button("Replay", () => replay(row, reload)), button("Discard", () => discard(row, reload))], "actions"]);
  return [title("Dead letters", "Messages that will not be tried again by themselves. They block nothing."), toolbar,
    table(columns, page.letters, Object.keys(parameters).length ? "No dead letter is like this." : "There are no dead letters. That is how it should be."),
    pages(parameters.before && filtered(parameters, { before: "" }), page.next && filtered(parameters, { before: page.next }))];
}

async function show(id, reload) {
  const letter = await get(`${ENDPOINT}/${part(id)}`);
  const write = mayWrite(ENDPOINT), back = "#/letters";
  return [h("p", { class: "back" }, h("a", { href: back }, "← Dead letters")),
    h("div", { class: "head" }, title(`Dead letter #${letter.id}`), badge(letter.reason, "bad"),
      write && h("span", { class: "push" }, letter.messageId && button("Replay", () => replay(letter, reload, back), "primary"), button("Discard", () => discard(letter, reload, back), "danger"))),
    h("div", { class: "panel" }, facts([["Queue", letter.queue], ["Source", letter.source], ["Topic", letter.topic], ["Type", letter.type], ["Stream", letter.stream && key(letter.stream)], ["Message", letter.messageId && key(letter.messageId)],
      ["Attempts", number(letter.attempts)], ["Enqueued", letter.createdAt && when(letter.createdAt)], ["Died", when(letter.diedAt)], ["Instance", letter.instance && key(letter.instance)]])),
    h("h2", {}, "Payload"), h("div", { class: "panel" }, h("pre", { id: "payload", tabindex: 0 }, letter.payload === undefined ? `raw, as Base64:\n${letter.raw}` : pretty(letter.payload))),
    letter.error && [h("h2", {}, "Error"), h("div", { class: "panel" }, h("pre", { id: "error", class: "error", tabindex: 0 }, letter.error))],
    Object.keys(letter.headers).length > 0 && [h("h2", {}, "Headers"), h("div", { class: "panel" }, facts(Object.entries(letter.headers)))],
    letter.history.length > 0 && [h("h2", {}, "Earlier deaths"), table([["When", (row) => when(row.at)], ["What", (row) => row.action], ["By", (row) => row.by], ["Note", (row) => row.note || "–"], ["Reason", (row) => row.reason]], letter.history, "")]];
}

export const letters = (parameters, reload, id) => (id ? show(id, reload) : list(parameters, reload));
