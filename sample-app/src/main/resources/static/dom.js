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

// Draws only what has changed, and leaves the focus where it is.
export function draw(element, content) {
  const drawn = h("div", {}, content);
  if (element.innerHTML === drawn.innerHTML) return;
  const focus = element.contains(document.activeElement) ? [...element.querySelectorAll("button, a")].indexOf(document.activeElement) : -1;
  element.replaceChildren(...drawn.childNodes);
  if (focus >= 0) element.querySelectorAll("button, a")[focus]?.focus({ preventScroll: true });
}

const NUMBER = new Intl.NumberFormat("en"), MONEY = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
export const number = (value) => NUMBER.format(value);
export const money = (value) => MONEY.format(value);
export const counted = (value, limit) => (value >= limit ? `${number(limit)}+` : number(value));

export function lasting(millis) {
  if (millis < 995) return `${Math.max(0, Math.round(millis / 10) * 10)} ms`;
  const s = millis / 1000;
  if (s < 10) return `${s.toFixed(1)} s`;
  if (s < 60) return `${Math.floor(s)} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${Math.floor(s % 60)} s`;
  if (s < 172800) return `${Math.floor(s / 3600)} h`;
  return `${Math.floor(s / 86400)} days`;
}

// Each instance keeps its colour; the name is always written beside it.
const names = [];
export function tone(instance) {
  if (!names.includes(instance)) names.push(instance);
  return `i${names.indexOf(instance) % 6}`;
}
export const by = (instance) => instance && h("span", { class: `by ${tone(instance)}` }, h("i", { "aria-hidden": "true" }), instance);
