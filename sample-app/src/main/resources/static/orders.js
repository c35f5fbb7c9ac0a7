import { post, remove } from "./api.js";
import { by, draw, h, lasting, money } from "./dom.js";

const FINAL = ["PAID", "CONFIRMED", "DECLINED", "CANCELLED"];
const rows = new Map();

function step(name, tone, what, ...more) {
  return h("li", { class: `step ${tone}`, "data-step": name }, h("span", { class: "mark", "aria-hidden": "true" }), h("div", {}, h("b", {}, what), more.filter(Boolean).map((line) => h("small", {}, line))));
}

function payment(order) {
  const attempts = order.attempts > 1 && `${order.attempts} attempts`;
  if (order.state === "DEAD") return step("payment", "bad", "dead letter", attempts, by(order.triedBy));
  if (order.state === "DECLINED") return step("payment", "warn", "declined", attempts, by(order.paidBy));
  if (order.paidBy) return step("payment", "good", "paid", attempts, by(order.paidBy));
  if (order.state === "CANCELLED") return step("payment", "idle", "never paid", attempts);
  if (order.attempts > 0) return step("payment", order.attempts > 1 ? "live warn" : "live", order.attempts > 1 ? "retrying" : "paying", attempts, by(order.triedBy));
  return step("payment", "live", "to be paid");
}

function end(order) {
  const after = order.changedAt && lasting(new Date(order.changedAt) - new Date(order.placedAt));
  if (order.state === "CONFIRMED") return step("end", "good", "confirmed", `after ${after}`, by(order.confirmedBy));
  if (order.state === "DECLINED") return step("end", "warn", "declined", `after ${after}`);
  if (order.state === "CANCELLED") return step("end", "idle", "cancelled", order.paidBy ? "by the customer" : "by the timer");
  if (order.state === "PAID") return step("end", "live", "confirming");
  return step("end", "idle", order.state === "DEAD" ? "stuck" : "waits");
}

function actions(order, act) {
  if (order.state === "DEAD") {
    return [h("a", { class: "button small", href: `whizbang/#/letters/${encodeURIComponent(order.letter)}` }, `Letter #${order.letter}`),
      h("button", { type: "button", class: "small", onclick: () => act(() => post(`actuator/whizbangdeadletters/${encodeURIComponent(order.letter)}`, { who: "shop page" }), `Letter #${order.letter} is replayed.`) }, "Replay")];
  }
  return order.state === "CONFIRMED" && h("button", { type: "button", class: "small", onclick: () => act(() => remove(`orders/${encodeURIComponent(order.id)}`), "The order is cancelled, and the money goes back.") }, "Cancel");
}

function row(order, deadline, act) {
  return [
    h("div", { class: "what" }, h("b", { class: "customer", title: order.customerId }, order.customerId), h("span", {}, order.articles), h("span", { class: "price" }, money(order.total)),
      deadline && h("span", { class: "deadline", "data-due": deadline }, "")),
    h("ol", { class: "track" }, step("placed", "good", "placed", by(order.placedBy)), payment(order), end(order)),
    h("div", { class: "actions" }, actions(order, act))];
}

// Rows stay what they are, so that they can be clicked, read and pointed at while others come.
export function orders(list, newest, deadlines, act) {
  if (newest.length === 0) { rows.clear(); draw(list, h("li", { class: "empty" }, "No orders yet. Place the first one above.")); return; }
  list.querySelector(".empty")?.remove();
  const known = new Set(newest.map((order) => order.id));
  rows.forEach((element, id) => { if (!known.has(id)) { element.remove(); rows.delete(id); } });
  newest.forEach((order, index) => {
    const deadline = FINAL.includes(order.state) ? undefined : deadlines.get(order.id);
    let element = rows.get(order.id);
    if (!element) { element = h("li", { class: "order", id: `order-${order.id}` }); rows.set(order.id, element); }
    element.dataset.state = order.state;
    const content = JSON.stringify([order, deadline]);
    if (element.drawn !== content) { element.drawn = content; draw(element, row(order, deadline, act)); }
    if (list.children[index] !== element) list.insertBefore(element, list.children[index] || null);
  });
}

export function tick() {
  const left = (due) => lasting(Math.ceil((new Date(due) - Date.now()) / 1000) * 1000);
  document.querySelectorAll("[data-due]").forEach((element) => {
    element.textContent = `cancelled in ${left(element.dataset.due)}, unless paid`;
  });
  document.querySelectorAll("[data-next]").forEach((element) => { element.textContent = `the next is due in ${left(element.dataset.next)}`; });
}
