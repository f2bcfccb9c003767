// Messages outside the views: the number of results, errors, and notices with actions such as Undo.

import { element } from "./elements.js";
import { UserError } from "./errors.js";
import { icon } from "./icons.js";
import { texts } from "./texts.js";

const status = element("p", { role: "status", class: "status" });
const alert = element("div", { role: "alert", class: "alert" });
const alertBox = element("div", { class: "alert-box", hidden: true }, alert,
    element("button", { type: "button", class: "plain round", "aria-label": texts.dismiss, onclick: () => clearError() }, icon("close")));
const notices = element("div", { class: "notices", "aria-live": "polite" });

/** The time of the data that is shown without the server. It is no error, and changes too rarely for a status of its own. */
const offline = element("p", { class: "offline", "aria-live": "polite", hidden: true });

/** The elements for the frame. */
export const messages = { status, alert: alertBox, notices, offline };

/** Shows a status such as the number of results. */
export function announce(text) {
    if (status.textContent !== text) status.textContent = text;
}

let shown = null;
/** The place where the shown error occurred. A query belongs to its view. */
let failedAt = null;
const here = () => location.hash.split("?")[0];

/** Shows an error until it is dismissed or cleared. */
export function fail(error) {
    if (error?.name === "AbortError") return;
    if (error?.status === 401) return;
    // The time of the data says that the server cannot be reached, too.
    if (error?.code === "unreachable" && !offline.hidden) return;
    if (!(error instanceof UserError)) console.error(error);
    shown = error;
    failedAt = here();
    alert.textContent = error instanceof UserError ? error.message : texts.errors.unknown;
    alertBox.hidden = false;
}

/** Clears the shown error. */
export function clearError() {
    shown = null;
    alert.textContent = "";
    alertBox.hidden = true;
}

/** Clears an error of another place than that which is being shown. */
export function clearErrorOfElsewhere() {
    if (failedAt !== here()) clearError();
}

/** Says that the server cannot be reached, and what is shown instead. */
export function showOffline(text) {
    if (shown?.status === 0) clearError();
    offline.textContent = text;
    offline.hidden = false;
}

/** Clears the message that the server cannot be reached, because it has responded. */
export function reached() {
    offline.hidden = true;
    if (shown?.status === 0) clearError();
}

/** The times in milliseconds for which a notice is shown: without and with actions. */
const noticeTimes = [8_000, 10_000];
/** The interval in milliseconds at which a notice that is used is looked at again. */
const heldInterval = 1_000;
/** The open notices, oldest first: `{key, box, end, undo}`. Only the newest one is shown. */
let open = [];

/** Shows the newest notice, and leaves room for it in the page. */
function draw() {
    const box = open.at(-1)?.box;
    if (notices.firstChild === (box ?? null)) return;
    notices.replaceChildren(...(box ? [box] : []));
    const root = document.documentElement;
    const rest = () => root.scrollHeight - innerHeight - scrollY;
    const before = rest();
    root.style.setProperty("--notice", box ? `${box.offsetHeight + 14}px` : "0px");
    const grown = rest() - before;
    // What is at the end of the page stays visible.
    if (before < grown) scrollBy(0, grown);
}

/** Returns whether someone is using a notice, or cannot see it. */
function isHeld(box) {
    return document.hidden || box.matches(":focus-within") || (matchMedia("(hover: hover)").matches && box.matches(":hover"));
}

/**
 * Shows a notice with actions `[{label, act}]` for a few seconds, longer while it has the focus or the pointer. Calls `finish` when it
 * is over, unless an action was chosen. A notice hides earlier ones, which are shown again if it is over before them, and replaces one
 * with the same `key`.
 */
export function note(text, actions = [], finish = () => {}, key = text) {
    for (const other of open.filter((one) => one.key === key)) other.end();
    let timer = null;
    const close = () => {
        clearTimeout(timer);
        open = open.filter((one) => one !== mine);
        draw();
    };
    const wait = (time) => {
        timer = setTimeout(() => (isHeld(box) ? wait(heldInterval) : mine.end()), time);
    };
    const choose = async (act) => {
        if (!open.includes(mine)) return;
        close();
        try {
            await act();
        } catch (error) {
            fail(error);
        }
    };
    const box = element("div", { class: "notice" }, element("p", {}, text),
        actions.map(({ label, act }) => element("button", { type: "button", class: "plain", onclick: () => choose(act) }, label)),
        element("button", { type: "button", class: "plain round", "aria-label": texts.dismissNotice, onclick: () => mine.end() }, icon("close")));
    const mine = {
        key, box,
        end: () => {
            close();
            return finish();
        },
        undo: actions.length > 0 ? () => choose(actions[0].act) : null,
    };
    open.push(mine);
    draw();
    wait(noticeTimes[actions.length > 0 ? 1 : 0]);
}

/** Closes all notices. The promise waits for their `finish`. */
export async function endNotices() {
    await Promise.all(open.map((one) => one.end()));
}

/** Chooses the first action of the newest notice that has one. */
export function undoLast() {
    const last = open.findLast((one) => one.undo !== null);
    last?.undo();
    return last !== undefined;
}

// Complete pending deletions before the page is left.
addEventListener("pagehide", () => { endNotices(); });
