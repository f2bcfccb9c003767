// Dialogs: native `<dialog>` elements, which trap the focus, close on Escape and restore the focus.

import { element, freshId } from "./elements.js";
import { icon } from "./icons.js";
import { texts } from "./texts.js";

/** Opens a dialog with the content of `build(close)`. The promise resolves with the value passed to `close`. */
export function openDialog(title, build, { class: kind = "", closed = () => {} } = {}) {
    return new Promise((resolve) => {
        const before = document.activeElement;
        let answer;
        const id = freshId("dialog");
        const close = (value) => {
            answer = value;
            dialog.close();
        };
        const dialog = element("dialog", { class: `dialog ${kind}`, "aria-labelledby": id },
            element("div", { class: "dialog-head" },
                element("h2", { id }, title),
                element("button", { type: "button", class: "plain round", "aria-label": texts.close, onclick: () => close() }, icon("close"))),
            element("div", { class: "dialog-body" }, build(close)));
        dialog.addEventListener("close", () => {
            dialog.remove();
            closed();
            if (before?.isConnected) before.focus();
            resolve(answer);
        });
        dialog.addEventListener("click", (event) => {
            if (event.target === dialog) close();
        });
        document.body.append(dialog);
        dialog.showModal();
        dialog.querySelector("[autofocus]")?.focus();
    });
}

/** Shows a confirmation dialog. */
export function confirm(title, text, yes, no = texts.cancel) {
    return openDialog(title, (close) => [
        element("p", { class: "lead" }, text),
        element("div", { class: "actions" },
            element("button", { type: "button", class: "primary", autofocus: true, onclick: () => close(true) }, yes),
            element("button", { type: "button", onclick: () => close(false) }, no)),
    ]);
}
