// Server-sent events: changes, which refresh the current view, and due reminders.

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

/** Subscribes to changes. Calls `changed` with the set of affected kinds, batching events. */
export function followChanges(changed) {
    let wasOpen = false;
    source = new EventSource("/v1/events");
    source.addEventListener("open", () => {
        // Events were missed while the connection was lost.
        if (wasOpen) changed(everything);
        wasOpen = true;
    });
    source.addEventListener("error", () => {
        // The browser reconnects by itself unless the server responded with an error, for example while starting.
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
        // Mobile browsers need a service worker for notifications. The notice in the page remains.
        if (error.name !== "TypeError") fail(error);
    }
}
