// Messages outside the views: the number of results, errors, and notices with actions such as Undo.

import { element, fill } from "./elements.js";
import { UserError } from "./errors.js";
import { icon } from "./icons.js";
import { texts } from "./texts.js";

const status = element("p", { role: "status", class: "status" });
const alert = element("div", { role: "alert", class: "alert" });
const alertBox = element("div", { class: "alert-box", hidden: true }, alert,
    element("button", { type: "button", class: "plain round", "aria-label": texts.dismiss, onclick: () => clearError() }, icon("close")));
const notice = element("div", { class: "notice", hidden: true, "aria-live": "polite" });

/** The elements for the frame. */
export const messages = { status, alert: alertBox, notice };

/** Shows a status such as the number of results. */
export function announce(text) {
    if (status.textContent !== text) status.textContent = text;
}

/** Shows an error until it is dismissed or cleared. */
export function fail(error) {
    if (error?.name === "AbortError") return;
    if (error?.status === 401) return;
    if (!(error instanceof UserError)) console.error(error);
    alert.textContent = error instanceof UserError ? error.message : texts.errors.unknown;
    alertBox.hidden = false;
}

/** Clears the shown error. */
export function clearError() {
    alert.textContent = "";
    alertBox.hidden = true;
}

let ending = null;

/** The time for undoing an action, in milliseconds. */
export const undoTime = 8000;

/**
 * Shows a notice with actions `[{label, act}]`. Calls `finish` when it times out or is replaced, unless an action was
 * chosen.
 */
export function note(text, actions = [], finish = () => {}) {
    endNotice();
    let isOpen = true;
    const close = () => {
        isOpen = false;
        ending = null;
        clearTimeout(timer);
        notice.hidden = true;
        fill(notice);
    };
    const buttons = actions.map(({ label, act }) => element("button", {
        type: "button", class: "plain", onclick: async () => {
            if (!isOpen) return;
            close();
            try {
                await act();
            } catch (error) {
                fail(error);
            }
        },
    }, label));
    fill(notice, element("p", {}, text), buttons);
    notice.hidden = false;
    // Keep the notice while the user is about to choose.
    const end = () => {
        if (!isOpen) return;
        if (notice.matches(":hover, :focus-within")) {
            timer = setTimeout(end, undoTime / 4);
            return;
        }
        close();
        finish();
    };
    let timer = setTimeout(end, undoTime);
    ending = () => {
        close();
        return finish();
    };
}

/** Closes the notice. The promise waits for its `finish`. */
export async function endNotice() {
    await ending?.();
}

/** Undoes the last action if its notice is still shown. */
export function undoLast() {
    const button = notice.hidden ? null : notice.querySelector("button");
    button?.click();
    return button !== null;
}

// Complete pending deletions before the page is left.
addEventListener("pagehide", endNotice);
