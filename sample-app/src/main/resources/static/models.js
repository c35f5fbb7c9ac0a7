import { post } from "./api.js";
import { h, money, number } from "./dom.js";

export function sales(days) {
  const most = Math.max(1, ...days.map((day) => day.amount));
  return [h("div", { class: "panel-head" }, h("h2", { id: "sales-title" }, "Sales per day")),
    days.length === 0 ? h("p", { class: "hint" }, "Nothing is sold yet.") : h("ul", { class: "sales" }, days.map((day) => {
      const bar = h("i", { "aria-hidden": "true" });
      bar.style.width = `${Math.max(1, (100 * day.amount) / most)}%`;
      return h("li", { "data-day": day.day }, h("span", {}, new Date(`${day.day}T00:00:00Z`).toLocaleDateString("en", { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" })),
        h("b", {}, money(day.amount)), h("small", {}, `${number(day.orders)} ${day.orders === 1 ? "order" : "orders"}`), bar);
    }))];
}

const ABOUT = { "order-summary": "one entity per order", "sales-per-day": "one row per day" };
const ASK = { "order-summary": "rebuild", "sales-per-day": "rebuild-beside" };

function progress(run) {
  const percent = run.total > 0 ? Math.min(100, Math.floor((100 * run.done) / run.total)) : 100;
  const fill = h("div", {});
  fill.style.width = `${percent}%`;
  return h("div", { class: percent === 100 ? "bar done" : "bar", role: "progressbar", "aria-label": `Progress of ${run.name}`, "aria-valuenow": percent, "aria-valuemin": 0, "aria-valuemax": 100 }, fill);
}

export function models(runs, act) {
  const names = [...new Set(runs.map((run) => run.name))];
  return [h("div", { class: "panel-head" }, h("h2", { id: "models-title" }, "Read models")),
    h("ul", { class: "models" }, names.map((name) => {
      const mine = runs.filter((run) => run.name === name);
      const building = mine.length > 1 || mine.some((run) => run.state !== "serving");
      return h("li", { id: `model-${name}` }, h("div", { class: "model" }, h("div", {}, h("b", {}, name), h("small", {}, ABOUT[name] || "")),
        h("button", { type: "button", class: "small", disabled: building, onclick: () => act(() => post(`actuator/whizbangperspectives/${encodeURIComponent(name)}/${ASK[name] || "rebuild"}`), `${name} is built anew from the events.`) }, building ? "Building…" : "Rebuild")),
        mine.map((run) => [progress(run), h("small", {}, `${mine.length > 1 ? `run ${run.run}, ${run.state}: ` : ""}${number(run.done)} of ${number(run.total)} events${run.eventsPerSecond >= 1 ? `, ${number(Math.round(run.eventsPerSecond))}/s` : ""}`)]));
    }))];
}
