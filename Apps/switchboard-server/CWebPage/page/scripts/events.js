// What changes while the page is open: the server tells, and the view that is shown looks again. Also reminders that come due.

import { endNotice, fail, note } from "./messages.js";
import { patch, path, put } from "./requests.js";
import { go } from "./routes.js";
import { texts } from "./texts.js";
import { timeZone } from "./times.js";

let source = null;
let waiting = null;
let retry = null;
let pending = new Set();
const everything = new Set(["contacts", "prospects", "items", "activities", "reminders", "airports"]);

/** Follows the changes of the person signed in; `changed` is told their kinds, several changes at once. */
export function followChanges(changed) {
    let wasOpen = false;
    source = new EventSource("/v1/events");
    source.addEventListener("open", () => {
        // What happened while the connection was away was told to nobody.
        if (wasOpen) changed(everything);
        wasOpen = true;
    });
    source.addEventListener("error", () => {
        // The browser tries again by itself, unless the server answered with an error: it may be starting.
        if (source?.readyState !== EventSource.CLOSED) return;
        clearTimeout(retry);
        retry = setTimeout(() => {
            if (source === null) return;
            followChanges(changed);
            changed(everything);
        }, 15_000);
    });
    source.addEventListener("changed", (event) => {
        const kinds = parsed(event.data)?.changed;
        if (!Array.isArray(kinds)) return;
        for (const kind of kinds) pending.add(kind);
        waiting ??= setTimeout(() => {
            const all = pending;
            pending = new Set();
            waiting = null;
            changed(all);
        }, 150);
    });
    source.addEventListener("reminder", (event) => {
        const reminder = parsed(event.data);
        if (reminder?.prospect) remind(reminder);
    });
}

export function stopFollowing() {
    source?.close();
    source = null;
    clearTimeout(waiting);
    clearTimeout(retry);
    waiting = null;
    pending = new Set();
}

function parsed(text) {
    try {
        return JSON.parse(text);
    } catch {
        return null;
    }
}

function remind(reminder) {
    const again = (json) => put(path(["prospects", reminder.prospect, "reminder"]), { json });
    note(texts.reminders.due(reminder.name), [
        { label: texts.reminders.contacted, act: () => patch(path(["prospects", reminder.prospect]), { json: { contacted: true } }) },
        { label: texts.reminders.inHour, act: () => again({ in: 3600 }) },
        { label: texts.reminders.tomorrow, act: () => again({ timeZone: timeZone() }) },
    ]);
    if (!("Notification" in globalThis) || Notification.permission !== "granted" || !document.hidden) return;
    try {
        const shown = new Notification(reminder.title, { body: reminder.body ?? "", tag: reminder.id, icon: "/page/icon.svg" });
        shown.onclick = () => {
            focus();
            endNotice();
            go("prospects", reminder.prospect);
        };
    } catch (error) {
        // Browsers of phones show notices by a service worker only; the line in the page has to do.
        if (error.name !== "TypeError") fail(error);
    }
}
