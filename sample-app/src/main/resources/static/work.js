import { by, h, number, tone } from "./dom.js";

const SHOWN = { PLACED: "new", FAILING: "failing", DEAD: "dead", PAID: "paid", DECLINED: "off", CANCELLED: "off" };
const kind = (tile) => (tile.state === "CONFIRMED" ? `done ${tile.confirmedBy ? tone(tile.confirmedBy) : ""}` : SHOWN[tile.state]);
const cells = [];

function shares(tiles) {
  const shares = new Map();
  const count = (instance, what) => {
    if (!instance) return;
    const share = shares.get(instance) || { placed: 0, paid: 0, confirmed: 0 };
    share[what]++;
    shares.set(instance, share);
  };
  tiles.forEach((tile) => { count(tile.placedBy, "placed"); count(tile.paidBy, "paid"); count(tile.confirmedBy, "confirmed"); });
  return [...shares].sort(([a], [b]) => a.localeCompare(b));
}

function bar(all, what, label) {
  const total = all.reduce((sum, [, share]) => sum + share[what], 0);
  return [h("dt", {}, label), h("dd", {}, h("div", { class: "stack", role: "img", "aria-label": `${label}: ${all.map(([instance, share]) => `${instance} ${number(share[what])}`).join(", ")}` },
    all.filter(([, share]) => share[what] > 0).map(([instance, share]) => {
      const part = h("span", { class: tone(instance), "data-instance": instance, "data-share": what }, share[what] * 8 >= total ? number(share[what]) : "");
      part.style.flexGrow = share[what];
      return part;
    })))];
}

// Thousands of small things: they are kept and only change their colour.
export function grid(tiles) {
  while (cells.length < tiles.length) cells.push(document.createElement("i"));
  cells.length = tiles.length;
  // The oldest is the first cell, so that new ones come at the end.
  tiles.forEach((tile, index) => {
    const cell = cells[tiles.length - 1 - index], wanted = kind(tile).trim();
    if (cell.className !== wanted) cell.className = wanted;
  });
  const element = document.getElementById("grid") || h("div", { id: "grid", class: "grid", role: "img" });
  if (element.childElementCount !== cells.length) element.replaceChildren(...cells);
  element.setAttribute("aria-label", `${number(tiles.filter((tile) => tile.state === "CONFIRMED").length)} of the newest ${number(tiles.length)} orders are confirmed`);
  return element;
}

export function work(element, tiles, members, silent) {
  const all = shares(tiles);
  all.forEach(([instance]) => tone(instance));
  if (!element.firstChild) {
    element.append(h("div", { class: "panel-head" }, h("h2", { id: "work-title" }, "Who does the work"), h("span", { id: "members", class: "soft" })), h("div", { id: "shares" }), grid(tiles), h("p", { class: "hint" }));
  } else {
    grid(tiles);
  }
  element.querySelector("#members").textContent = members === undefined ? "" : `${number(members)} ${members === 1 ? "instance" : "instances"}${silent ? `, ${number(silent)} silent` : ""}`;
  element.querySelector("#members").classList.toggle("bad", silent > 0);
  element.querySelector("#shares").replaceChildren(h("p", { class: "legend" }, all.map(([instance]) => by(instance))),
    h("dl", { class: "shares" }, bar(all, "placed", "placed"), bar(all, "paid", "had paid"), bar(all, "confirmed", "confirmed")));
  element.querySelector(".hint").textContent = tiles.length ? `The newest orders (${number(tiles.length)}), one square each, in the colour of the instance that confirmed it; grey ones are on their way, amber ones fail, red ones are dead.` : "Here each order becomes a square in the colour of the instance that confirms it.";
}
