import { get, post, Refused, remove } from "./api.js";
import { by, draw, number } from "./dom.js";
import { flow, parts } from "./flow.js";
import { models, sales } from "./models.js";
import { orders, tick } from "./orders.js";
import { work } from "./work.js";

const OFTEN = 500, SOMETIMES = 1500, PRICES = { book: 10, flaky: 12, poison: 13, yacht: 250000 };
const $ = (id) => document.getElementById(id);
const KEY = "payment-overdue:";
// One that is well says so every ten seconds.
const SILENT = 15000;
let deadlines = new Map(), members, silent = 0, burst, lost = false;

function say(text, bad) {
  $("said").textContent = text;
  $("said").classList.toggle("bad", Boolean(bad));
}

async function act(action, said) {
  try {
    const result = await action();
    say(said);
    look();
    more();
    return result;
  } catch (problem) {
    say(problem instanceof Refused ? problem.message : "That did not work: the shop does not answer.", true);
    return undefined;
  }
}

function show(board, asked) {
  draw($("served"), ["served by ", by(board.here)]);
  draw($("flow"), flow(board.tiles));
  work($("work"), board.tiles, members, silent);
  orders($("orders"), board.orders, deadlines, act);
  tick();
  if (!burst) return;
  const open = board.tiles.filter((tile) => tile.state === "PLACED" || tile.state === "PAID").length;
  // An answer to a question from before the last order was placed proves nothing.
  if (burst.placed && asked > burst.placed && open === 0) {
    say(`All ${number(burst.count)} orders are through, ${((performance.now() - burst.since) / 1000).toFixed(1)} s after the button was pressed.`);
    burst = undefined;
  } else {
    say(`${burst.placed ? `${number(burst.count)} orders are placed` : `Placing ${number(burst.count)} orders`}; ${number(open)} are on their way.`);
  }
}

// Somebody who has killed an instance wants to see that it is missed, and that the others take over.
function count(instances) {
  const before = members, missed = instances.filter((instance) => instance.silentMs > SILENT);
  members = Math.max(0, ...instances.flatMap((instance) => instance.workers).map((worker) => worker.members));
  if (missed.length > silent) say(`${missed.map((instance) => `${instance.host}:${instance.process}`).join(", ")} is silent. What it holds is taken over when it has been so for half a minute.`, true);
  else if (before > members) say(`An instance has left. ${members === 1 ? "The one that stays takes" : "Those that stay take"} over what it held.`);
  else if (before && before < members) say("An instance has joined, and takes its share.");
  silent = missed.length;
}

// Each loop asks again when it has its answer, and rests while nobody sees the page.
function loop(every, ask) {
  let timer, asking = false;
  const round = async () => {
    if (asking) return;
    clearTimeout(timer);
    asking = true;
    try { await ask(); } finally {
      asking = false;
      if (!document.hidden) timer = setTimeout(round, every);
    }
  };
  document.addEventListener("visibilitychange", () => { if (!document.hidden) round(); });
  round();
  return round;
}

const look = loop(OFTEN, async () => {
  try {
    const asked = performance.now();
    show(await get("board"), asked);
    if (lost) say("The shop answers again.");
    lost = false;
  } catch {
    lost = true;
    say("The shop does not answer. Trying again.", true);
  }
});

// What one endpoint cannot say must not keep the others from speaking.
const part = (path, then) => get(path).then(then).catch(() => {});

const more = loop(SOMETIMES, () => Promise.all([
  part("actuator/whizbang", (body) => { draw($("parts"), parts(body)); tick(); }),
  part("actuator/whizbang/instances", (body) => count(body.instances)),
  part("actuator/whizbangtimers?limit=50", (body) => {
    deadlines = new Map(body.timers.filter((timer) => timer.key?.startsWith(KEY)).map((timer) => [timer.key.slice(KEY.length), timer.due]));
  }),
  part("actuator/whizbangperspectives", (body) => draw($("models"), models(body.runs, act))),
  part("sales?days=7", (days) => draw($("sales"), sales(days))),
  part("payments/repair", (network) => {
    $("network").hidden = false;
    $("network").setAttribute("aria-pressed", network.repaired);
    $("network").textContent = network.repaired ? "Break the card network again" : "Repair the card network";
  }),
]));

const order = (sku) => ({ customerId: $("customer").value, items: [{ sku, quantity: 1, price: PRICES[sku] }] });

$("counter").addEventListener("submit", async (event) => {
  event.preventDefault();
  const pressed = event.submitter || document.querySelector("#buttons button");
  if (pressed.disabled) return;
  pressed.disabled = true;
  const count = Number(pressed.dataset.burst);
  if (count) {
    burst = { count, since: performance.now(), placed: undefined };
    const mine = burst;
    const done = await act(() => post("orders/burst", { count, order: order("book") }), `${number(count)} orders are placed.`);
    mine.placed = performance.now();
    if (!done) burst = undefined;
  } else {
    await act(() => post("orders", order(pressed.dataset.order)), `Ordered: ${pressed.dataset.order}.`);
  }
  pressed.disabled = false;
  pressed.focus({ preventScroll: true });
});

$("network").addEventListener("click", () => {
  const repaired = $("network").getAttribute("aria-pressed") === "true";
  act(() => (repaired ? remove("payments/repair") : post("payments/repair")), repaired ? "The card network chokes on poison again." : "The card network is repaired. Replay what died of it.");
});
setInterval(tick, 1000);
