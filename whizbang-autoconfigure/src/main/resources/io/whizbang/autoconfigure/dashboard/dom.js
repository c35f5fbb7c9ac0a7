// Builds elements. Data becomes text nodes only, so nothing in it can become markup.
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter((child) => child !== undefined && child !== null && child !== false).map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

export function title(text, lead) {
  document.title = `${text} · Whizbang`;
  return [h("h1", {}, text), lead && h("p", { class: "lead" }, lead)];
}

// Columns are [label, row => content, class]; a class says how wide one wants to be.
export function table(columns, rows, empty) {
  if (rows.length === 0) return h("div", { class: "panel" }, h("p", { class: "empty" }, empty));
  return h("div", { class: "panel" }, h("table", {},
    h("thead", {}, h("tr", {}, columns.map(([label, , kind]) => h("th", { scope: "col", class: kind }, label)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, columns.map(([label, content, kind]) => h("td", { "data-label": label, class: kind }, h("div", {}, content(row)))))))));
}

export function facts(pairs) {
  return h("dl", {}, pairs.filter(([, value]) => value !== undefined && value !== null && value !== "").map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

const TONES = { running: "good", ready: "good", serving: "good", succeeded: "good", paused: "warn", pausing: "warn", building: "warn", retrying: "warn", stopping: "warn",
  "waits-for-retry": "warn", failed: "bad", failing: "bad", unknown: "bad", dead: "bad", stopped: "bad" };

export function badge(state, tone) {
  return h("span", { class: `badge ${tone || TONES[state] || ""}` }, String(state).replaceAll("-", " "));
}

export function button(label, action, kind) {
  return h("button", { type: "button", class: kind || "small", onclick: action }, label);
}

export const percent = (done, total) => (total > 0 ? Math.min(100, Math.floor((100 * done) / total)) : 100);

export function bar(done, total, label) {
  const share = percent(done, total);
  const fill = h("div", {});
  fill.style.width = `${share}%`;
  return h("div", { class: share === 100 ? "bar done" : "bar", role: "progressbar", "aria-label": label, "aria-valuenow": share, "aria-valuemin": 0, "aria-valuemax": 100 }, fill);
}

const NUMBER = new Intl.NumberFormat("en");
export const number = (value) => (value === undefined || value === null ? "–" : NUMBER.format(value));
export const counted = (value, limit) => (value >= limit ? `${number(limit)}+` : number(value));

export function lasting(millis) {
  const s = Math.round(Math.abs(millis) / 1000);
  if (s < 60) return `${s} s`;
  if (s >= 600 && s < 3600) return `${Math.floor(s / 60)} min`;
  if (s < 600) return `${Math.floor(s / 60)} min ${s % 60 ? `${s % 60} s` : ""}`.trim();
  if (s < 172800) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
  return `${Math.floor(s / 86400)} days`;
}

export function when(instant) {
  if (!instant) return "–";
  const time = new Date(instant), away = time - Date.now();
  const text = Math.abs(away) < 500 ? "now" : away > 0 ? `in ${lasting(away)}` : `${lasting(away)} ago`;
  return h("time", { datetime: instant, title: time.toLocaleString() }, text);
}

// A stream, a key, an identity: something to compare and to copy.
export const key = (text) => (text ? h("code", { class: "key" }, text) : "–");

// What went wrong in a line; where it happened is in the tip, and with the letter.
export function failure(error) {
  if (!error) return "–";
  return h("span", { class: "error clip", title: error.slice(0, 2000) }, error.split("\n")[0].replace(/^(?:[a-z_][\w$]*\.)+(?=[A-Z])/, ""));
}

export function pages(first, next) {
  return (first || next) && h("p", { class: "pages" }, first && h("a", { class: "button", href: first }, "First page"), next && h("a", { class: "button", href: next }, "Next page"));
}
