// The list of changes that wait for the server, shown in every view, and their sending.

import { element, fill } from "./elements.js";
import { icon } from "./icons.js";
import { fail, note } from "./messages.js";
import { drop, holdForPage, isForLater, markFailure, openQueue, release, waiting } from "./queue.js";
import { onReached, remove, request } from "./requests.js";
import { texts } from "./texts.js";

/** The interval in milliseconds at which waiting changes are tried again. */
const interval = 20_000;

const box = element("section", { class: "waiting", "aria-label": texts.queue.title, hidden: true });
let isSending = false;
let isExpanded = false;
let timer = null;

/** The element for the frame. */
export const waitingList = box;

/** Follows the changes of a person; null for none. */
export function followQueue(person) {
    clearInterval(timer);
    openQueue(person, (isReleased) => {
        draw();
        if (isReleased) sendWaiting();
    });
    if (person === null) return;
    timer = setInterval(sendWaiting, interval);
    onReached(sendWaiting);
    sendWaiting();
}

addEventListener("online", () => sendWaiting());

/** Sends the changes in their order. One tab does so at a time. */
export async function sendWaiting() {
    if (isSending || !waiting().some((change) => !change.failure)) return;
    isSending = true;
    try {
        if (navigator.locks) await navigator.locks.request("switchboard queue", { ifAvailable: true }, (lock) => (lock ? send() : null));
        else await send();
    } finally {
        isSending = false;
    }
}

async function send() {
    let count = 0;
    for (;;) {
        const change = waiting().find((one) => !one.failure);
        if (change === undefined) break;
        const headers = change.method === "POST" ? { ...change.headers, "Idempotency-Key": change.key } : change.headers;
        try {
            await request(change.method, change.path, { json: current(change.json), headers });
        } catch (error) {
            // Without a connection, or with an expired session, the changes wait.
            if (isForLater(error.status)) break;
            if (error.code === "underWay") break;
            // A server has stopped between the change and its response, or the change has been removed meanwhile.
            if (error.code !== "alreadyHandled" && (change.method !== "DELETE" || error.status !== 404)) {
                markFailure(change.key, error.status === 412 ? texts.queue.conflict : error.message);
                continue;
            }
        }
        drop(change.key);
        count += 1;
    }
    if (count > 0) note(texts.queue.sent(count));
}

/** Returns the content of a change as of now: a reminder whose time has passed in the meantime is due at once. */
function current(json) {
    if (!json?.at || new Date(json.at) > new Date()) return json;
    const { at, ...rest } = json;
    // The server refuses times that are not in the future.
    return { ...rest, in: 1 };
}

/**
 * Offers to undo removals `[{path, what}]` of things that the server cannot restore, and removes them when the message is closed or the
 * page is gone. `stay` is called if they are undone, `finish` after the responses. `what` names the change while it waits.
 */
export function removeUnlessUndone(message, removals, stay, finish) {
    const changes = removals.map(({ path, what }) => ({ what, method: "DELETE", path, headers: {} }));
    // Over plain HTTP, other pages cannot know whether this one lives.
    const held = changes.map((change) => (navigator.locks ? holdForPage(change) : null));
    const undo = () => {
        held.forEach(drop);
        return stay();
    };
    const send = async (change, index) => {
        held[index] ??= holdForPage(change);
        try {
            await remove(change.path, { keepalive: true });
            drop(held[index]);
        } catch (error) {
            if (held[index] !== null && isForLater(error.status)) {
                release(({ key }) => key === held[index]);
                note(texts.queue.kept);
            } else {
                drop(held[index]);
                if (error.status !== 404) fail(error);
            }
        }
    };
    note(message, [{ label: texts.undo, act: undo }], async () => {
        await Promise.all(changes.map(send));
        await finish().catch(fail);
    });
}

function draw() {
    const changes = waiting();
    const failed = changes.filter((change) => change.failure);
    box.hidden = changes.length === 0;
    const isOpen = isExpanded || failed.length > 0;
    fill(box,
        element("div", { class: "waiting-head" }, icon("import"), element("p", {}, texts.queue.count(changes.length)),
            element("button", {
                type: "button", class: "plain", "aria-expanded": String(isOpen), onclick: () => { isExpanded = !isOpen; draw(); },
            }, isOpen ? texts.queue.hide : texts.queue.show)),
        isOpen && element("ul", {}, changes.map((change) => element("li", {},
            element("p", {}, element("span", { dir: "auto" }, change.what), change.failure && element("span", { class: "small danger" }, ` ${change.failure}`)),
            change.failure && element("button", {
                type: "button", class: "plain", onclick: () => { markFailure(change.key, null); sendWaiting(); },
            }, texts.queue.again),
            element("button", { type: "button", class: "plain danger", onclick: () => drop(change.key) }, texts.queue.discard)))));
}
