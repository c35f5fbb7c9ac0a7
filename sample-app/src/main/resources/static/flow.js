import { counted, h, number } from "./dom.js";

const count = (tiles, state) => tiles.filter((tile) => tile.state === state).length;

function station(state, label, value, hint, tone) {
  return h("li", { class: `station ${tone}${value ? " busy" : ""}`, id: `station-${state}` }, h("b", {}, number(value)), h("span", {}, label), h("small", {}, hint));
}

// placed -> paid -> confirmed, and the ways off it.
export function flow(tiles) {
  return [
    h("ol", { class: "flow" },
      station("placed", "placed", count(tiles, "PLACED"), "outbox → inbox", "idle"),
      station("paid", "paid", count(tiles, "PAID"), "outbox → inbox", "live"),
      station("confirmed", "confirmed", count(tiles, "CONFIRMED"), "read models know", "good")),
    h("ul", { class: "flow aside" },
      station("failing", "tried again", count(tiles, "FAILING"), "after a growing delay", "warn"),
      station("dead", "dead", count(tiles, "DEAD"), "until somebody replays them", "bad"),
      station("declined", "declined", count(tiles, "DECLINED"), "the card said no", "idle"),
      station("cancelled", "cancelled", count(tiles, "CANCELLED"), "by timer or customer", "idle"))];
}

const UNITS = { outbox: "waiting", inbox: "waiting", perspectives: "events behind", timers: "pending" };
const NAMES = { outbox: "Outbox", inbox: "Inbox", perspectives: "Read models", timers: "Timers" };

function spark(values) {
  const most = Math.max(1, ...values);
  return h("div", { class: "spark", "aria-hidden": "true" }, values.map((value) => {
    const bar = h("i", {});
    bar.style.height = `${Math.max(value ? 8 : 2, (100 * value) / most)}%`;
    return bar;
  }));
}

export function parts(overview) {
  return h("ul", { class: "parts" }, overview.features.filter((line) => line.feature in NAMES).map((line) => h("li", { class: "part", id: `part-${line.feature}` },
    h("h3", {}, NAMES[line.feature], h("span", { class: line.state === "running" || line.state === "ready" ? "dot good" : "dot warn" }, line.state)),
    h("p", {}, h("b", {}, counted(line.backlog ?? 0, overview.countedUpTo)), ` ${UNITS[line.feature]}`, line.recent && h("span", {}, `${number(Math.round(line.recent.perSecond))}/s here`)),
    line.recent && spark(line.recent.done.slice(-40)),
    line.details.perspectives && h("p", {}, h("span", {}, `${number(line.details.perspectives)} follow the events`)),
    line.details.nextDue && h("p", {}, h("span", { "data-next": line.details.nextDue })))));
}
