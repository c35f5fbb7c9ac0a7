import { h, number } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 300, HEIGHT = 100;

function shape(name, attributes) {
  const element = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  return element;
}

// The next of 1, 2, 5, 10, 20, 50 and so on, so that the scale rests while the curve moves.
function ceiling(most) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 5, 10].map((step) => step * power).find((top) => top >= most);
}

// A plot of a few curves; each is { label, values }, and may have a tone: the name of its colour.
export function chart(heading, hint, since, curves) {
  const top = ceiling(Math.max(...curves.flatMap((curve) => curve.values)));
  const svg = shape("svg", { class: "plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
    "aria-label": `${heading}: ${curves.map((curve) => `${curve.label} ${number(curve.values.at(-1) ?? 0)}`).join(", ")}` });
  [0, 0.5, 1].forEach((at) => svg.append(shape("line", { class: "grid", x1: 0, x2: WIDTH, y1: at * HEIGHT, y2: at * HEIGHT })));
  const tone = (curve, index) => curve.tone || `c${index % 6}`;
  curves.forEach((curve, index) => {
    const values = curve.values.length === 1 ? [curve.values[0], curve.values[0]] : curve.values;
    const points = values.map((value, i) => `${((i * WIDTH) / Math.max(1, values.length - 1)).toFixed(1)},${(HEIGHT - (value * HEIGHT) / top).toFixed(1)}`).join(" ");
    const flat = values.every((value) => value === 0);
    if (!flat) svg.append(shape("polygon", { class: tone(curve, index), points: `0,${HEIGHT} ${points} ${WIDTH},${HEIGHT}` }), shape("polyline", { class: tone(curve, index), points }));
  });
  return h("section", { class: "panel chart" }, h("h3", {}, heading), h("p", {}, hint),
    h("div", { class: "scale" }, h("span", {}, number(top)), h("span", {}, top > 1 ? number(top / 2) : ""), h("span", {}, "0")), svg,
    h("div", { class: "span" }, h("span", {}, since), h("span", {}, "now")),
    h("div", { class: "legend" }, curves.map((curve, index) => h("span", {}, h("i", { class: tone(curve, index) }), `${curve.label} `, h("b", {}, number(curve.values.at(-1) ?? 0))))));
}
