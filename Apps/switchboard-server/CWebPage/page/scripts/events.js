// Server-sent events: changes, which refresh the current view, and due reminders.
//
// A browser opens six connections to a server, and an event stream holds one of them. Therefore one tab, the holder of a lock, has
// the stream for all tabs and passes its events on. Where locks are missing (pages without HTTPS on other machines), each visible tab
// has a stream.

import { loadDue } from "./due.js";
import { fail } from "./messages.js";
import { followPositions, noteBeginning } from "./positions.js";
import { get } from "./requests.js";
import { go } from "./routes.js";
import { signedIn } from "./session.js";

/** The time in milliseconds after which a lost stream is opened again if the browser does not do it. */
const retryTime = 15_000;
/** The time in milliseconds for which changes are collected. */
const collectingTime = 150;
const everything = ["contacts", "prospects", "items", "activities", "reminders", "airports"];

let stop = () => {};

/** Subscribes to changes. Calls `changed` with the set of affected kinds, batching events. */
export function followChanges(changed) {
    stopFollowing();
    const collector = collecting(changed);
    const name = `switchboard events of ${signedIn()?.person ?? ""}`;
    const others = "BroadcastChannel" in globalThis ? new BroadcastChannel(name) : null;
    const ended = new AbortController();
    let stream = null;

    const handle = (event) => {
        if (event.began) noteBeginning(event.began);
        if (event.changed) collector.add(event.changed);
        if (event.reminder) {
            loadDue();
            remind(event.reminder);
        }
    };
    const pass = (event) => {
        handle(event);
        others?.postMessage(event);
    };
    others?.addEventListener("message", ({ data }) => handle(data));
    followPositions(() => handle({ changed: everything }));

    if (others && navigator.locks) {
        navigator.locks.request(name, { signal: ended.signal }, () => {
            if (ended.signal.aborted) return null;
            stream = openStream(pass);
            return new Promise((resolve) => { ended.signal.addEventListener("abort", resolve); });
        }).catch((error) => {
            if (error.name !== "AbortError") fail(error);
        });
    } else {
        const followVisibility = () => {
            if (document.hidden) {
                stream?.close();
                stream = null;
            } else {
                stream ??= openStream(handle);
            }
        };
        document.addEventListener("visibilitychange", followVisibility, { signal: ended.signal });
        followVisibility();
    }

    stop = () => {
        ended.abort();
        stream?.close();
        stream = null;
        others?.close();
        collector.stop();
    };
}

export function stopFollowing() {
    stop();
    stop = () => {};
}

/** Opens the stream. */
function openStream(pass) {
    let source = null;
    let retry = null;
    const open = () => {
        source = new EventSource("/v1/events?started=true");
        // Not if the browser resumes the stream, which then has no gap.
        source.addEventListener("started", (event) => pass({ began: event.lastEventId }));
        source.addEventListener("error", () => {
            // The browser reconnects by itself unless the server responded with an error, for example because the session has ended.
            if (source?.readyState !== EventSource.CLOSED) return;
            get("/v1/session").catch(() => {});
            clearTimeout(retry);
            retry = setTimeout(open, retryTime);
        });
        source.addEventListener("changed", (event) => {
            const kinds = parsed(event.data)?.changed;
            if (Array.isArray(kinds)) pass({ changed: kinds });
        });
        source.addEventListener("reminder", (event) => {
            const reminder = parsed(event.data);
            if (reminder?.prospect) pass({ reminder });
        });
    };
    open();
    return {
        close() {
            clearTimeout(retry);
            source.close();
            source = null;
        },
    };
}

/** Collects the kinds of changes that follow each other quickly. */
function collecting(changed) {
    let pending = new Set();
    let timer = null;
    return {
        add(kinds) {
            for (const kind of kinds) pending.add(kind);
            timer ??= setTimeout(() => {
                const all = pending;
                pending = new Set();
                timer = null;
                if (all.has("reminders") || all.has("prospects")) loadDue();
                changed(all);
            }, collectingTime);
        },
        stop() {
            clearTimeout(timer);
        },
    };
}

function parsed(text) {
    try {
        return JSON.parse(text);
    } catch {
        return null;
    }
}

/** Shows a reminder as a notification of the device if the page is hidden. */
function remind(reminder) {
    if (!("Notification" in globalThis) || Notification.permission !== "granted" || !document.hidden) return;
    try {
        // Several tabs show one notification, because they have the same tag.
        const shown = new Notification(reminder.title, { body: reminder.body ?? "", tag: reminder.id, icon: "/page/icon.svg" });
        shown.onclick = () => {
            focus();
            go("prospects", reminder.prospect);
        };
    } catch (error) {
        // Mobile browsers need a service worker for notifications. The list of overdue reminders remains.
        if (error.name !== "TypeError") fail(error);
    }
}
