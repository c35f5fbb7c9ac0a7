import { open, Problem, session } from "./api.js";
import { blocked } from "./blocked.js";
import { h } from "./dom.js";
import { instances } from "./instances.js";
import { jobs } from "./jobs.js";
import { letters } from "./letters.js";
import { more } from "./more.js";
import { overview } from "./overview.js";
import { perspectives } from "./perspectives.js";

const EVERY = 2000;
const VIEWS = [
  ["overview", "Overview", overview, "whizbang"], ["blocked", "Blocked", blocked, "whizbang"], ["letters", "Dead letters", letters, "whizbangdeadletters"],
  ["perspectives", "Perspectives", perspectives, "whizbangperspectives"], ["jobs", "Jobs", jobs, "whizbangjobs"], ["instances", "Instances", instances, "whizbang"],
  ["more", "More", more, "whizbangqueues", "whizbangtimers", "whizbangfanouts", "whizbangjoins", "whizbangleases"],
];

const main = document.getElementById("main"), alert = document.getElementById("alert"), live = document.getElementById("live"), switcher = document.getElementById("refresh");
let on = true, pressed = false, timer, told, round = 0;

function place() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, id] = path.split("/");
  const known = VIEWS.filter(([, , , ...endpoints]) => endpoints.some((endpoint) => endpoint in session.sections));
  const view = known.find(([key]) => key === name) || known[0];
  return { view, id: id && decodeURIComponent(id), parameters: Object.fromEntries(new URLSearchParams(query || "")), known };
}

// A note or a refusal stays for a while; that the application does not answer, until it does.
function tell(text, kind) {
  clearTimeout(told);
  alert.hidden = !text;
  alert.className = kind || "";
  alert.textContent = text || "";
  if (kind === "note" || kind === "refusal") told = setTimeout(() => tell(), 10000);
}

function navigate({ view, known }) {
  document.getElementById("nav").replaceChildren(...known.map(([key, label]) => h("a", { href: `#/${key}`, "aria-current": view && key === view[0] ? "page" : null }, label)));
  document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
}

// The same button of the same row, wherever that is now; what is scrolled stays scrolled.
const CONTROLS = "button, a, [tabindex]", SCROLLED = "pre, .panel";
const name = (element) => `${element.closest("tr, article")?.querySelector("b, code")?.textContent} ${element.id || element.textContent}`;

function replace(content) {
  const focused = main.contains(document.activeElement) && document.activeElement !== main ? name(document.activeElement) : undefined;
  const places = [...main.querySelectorAll(SCROLLED)].map((element) => [element.scrollLeft, element.scrollTop]);
  main.replaceChildren(...[content].flat(9).filter((node) => node instanceof Node));
  if (focused) [...main.querySelectorAll(CONTROLS)].find((element) => name(element) === focused)?.focus({ preventScroll: true });
  return () => [...main.querySelectorAll(SCROLLED)].forEach((element, index) => { [element.scrollLeft, element.scrollTop] = places[index] || [0, 0]; });
}

function answers(yes) {
  document.body.classList.toggle("silent", !yes);
  if (yes) live.textContent = `updated ${new Date().toLocaleTimeString()}`;
  else live.textContent = live.textContent.replace(/^updated/, "no answer since");
}

// Whoever presses a button, fills in a form, reads a selection or has a dialog open is not disturbed.
function busy() {
  const active = document.activeElement;
  return pressed || document.getElementById("dialog").open || (active && ["INPUT", "SELECT"].includes(active.tagName)) || String(getSelection()).length > 0;
}

async function show(quietly) {
  clearTimeout(timer);
  const mine = ++round, at = place();
  if (!at.view) { tell("No endpoint of Whizbang has access: see management.endpoint.whizbang.access."); return; }
  try {
    const content = await at.view[2](at.parameters, (text, hash) => { tell(text, "note"); if (hash && location.hash !== hash) location.hash = hash; else show(); }, at.id);
    if (mine !== round || (quietly && busy())) return;
    const scroll = replace(content);
    if (quietly) scroll();
    answers(true);
    if (alert.className === "silence") tell();
  } catch (problem) {
    if (mine === round) {
      answers(problem instanceof Problem && problem.status < 500);
      if (!quietly) main.replaceChildren(h("p", { class: "empty" }, "Nothing to show."));
      tell(problem instanceof Problem ? problem.message : "The application does not answer. Trying again.", "silence");
    }
  } finally {
    if (mine === round && on && !document.hidden) timer = setTimeout(() => show(true), EVERY);
  }
}

function go() {
  navigate(place());
  show();
}

window.addEventListener("hashchange", () => { if (alert.className !== "note") tell(); go(); main.focus({ preventScroll: true }); window.scrollTo(0, 0); });
window.addEventListener("unhandledrejection", (event) => { event.preventDefault(); tell(event.reason instanceof Problem ? event.reason.message : "That did not work: the application does not answer.", "refusal"); });
document.addEventListener("pointerdown", () => { pressed = true; });
["pointerup", "pointercancel"].forEach((end) => document.addEventListener(end, () => { pressed = false; }));
document.addEventListener("visibilitychange", () => { if (!document.hidden && on) show(true); });
document.getElementById("nav").addEventListener("focusin", (event) => event.target.scrollIntoView({ block: "nearest", inline: "nearest" }));
switcher.addEventListener("click", () => { on = !on; switcher.setAttribute("aria-pressed", on); switcher.textContent = on ? "Live" : "Stopped"; if (on) show(true); else clearTimeout(timer); });

try {
  await open();
  document.getElementById("service").textContent = session.service + (session.user ? ` · ${session.user}` : "");
  go();
} catch (problem) {
  main.replaceChildren(h("p", { class: "empty" }, problem.message));
}
