import { h } from "./dom.js";

// Asks before anything is changed; answers with the note, or with nothing when it was cancelled.
export function confirm({ title, text, action, danger, note }) {
  const dialog = document.getElementById("dialog");
  return new Promise((resolve) => {
    const field = note && h("input", { name: "note", maxlength: 500, autocomplete: "off" });
    const done = (value) => { resolve(value); dialog.close(); };
    dialog.replaceChildren(
      h("h2", { id: "dialog-title" }, title), h("p", {}, text),
      field ? h("label", {}, note, field) : "",
      h("div", { class: "row" },
        h("button", { type: "button", id: "dialog-cancel", onclick: () => done(undefined) }, "Cancel"),
        h("button", { type: "button", id: "dialog-confirm", class: danger ? "danger" : "primary", onclick: () => done({ note: (field && field.value) || undefined }) }, action)));
    // Escape, too. The event comes later, perhaps when the next question is already open: that one is not answered by it.
    dialog.onclose = () => { if (!dialog.open) resolve(undefined); };
    dialog.showModal();
    (field || dialog.querySelector("#dialog-cancel")).focus();
  });
}
