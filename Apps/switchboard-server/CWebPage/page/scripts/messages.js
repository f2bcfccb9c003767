// What is said to the person outside the views: the number of results, what went wrong, and what can be undone.

import { element, fill } from "./elements.js";
import { Failure } from "./failures.js";
import { icon } from "./icons.js";
import { texts } from "./texts.js";

const status = element("p", { role: "status", class: "status" });
const alert = element("div", { role: "alert", class: "alert" });
const alertBox = element("div", { class: "alert-box", hidden: true }, alert,
    element("button", { type: "button", class: "plain round", "aria-label": texts.dismiss, onclick: () => clearFailure() }, icon("close")));
const notice = element("div", { class: "notice", hidden: true, "aria-live": "polite" });

/** The elements that the frame shows. */
export const messages = { status, alert: alertBox, notice };

/** Says something that is worth a glance, such as the number of results. */
export function announce(text) {
    if (status.textContent !== text) status.textContent = text;
}

/** Says what went wrong, until it is dismissed or something goes well. */
export function fail(error) {
    if (error?.name === "AbortError") return;
    if (error?.status === 401) return;
    if (!(error instanceof Failure)) console.error(error);
    alert.textContent = error instanceof Failure ? error.message : texts.errors.unknown;
    alertBox.hidden = false;
}

/** Takes back what was said of a failure. */
export function clearFailure() {
    alert.textContent = "";
    alertBox.hidden = true;
}

let ending = null;

/** How long something can be undone, in milliseconds. */
export const undoTime = 8000;

/**
 * Shows one line, with actions `[{label, act}]` for a while. When the time is over, or something else is shown, `finish` is called,
 * unless an action was chosen.
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
    // Somebody who is about to choose is not hurried.
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

/** Ends what is shown; what could be undone is done, which the promise waits for. */
export async function endNotice() {
    await ending?.();
}

/** Takes back what was done last, if it still can be. */
export function undoLast() {
    const button = notice.hidden ? null : notice.querySelector("button");
    button?.click();
    return button !== null;
}

// What was only waiting for somebody to change their mind is done before the page goes.
addEventListener("pagehide", endNotice);
