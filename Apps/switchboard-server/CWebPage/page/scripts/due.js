// Overdue reminders, shown in every view until someone acts on them.

import { element, fill, freshId } from "./elements.js";
import { icon } from "./icons.js";
import { fail } from "./messages.js";
import { get, patch, path, put, remove } from "./requests.js";
import { address } from "./routes.js";
import { may } from "./session.js";
import { texts } from "./texts.js";
import { inHours, moment, nineIn, stamp, timeZone } from "./times.js";

/** The number of reminders that are shown at once. A phone has room for one. */
const few = () => (matchMedia("(min-width: 900px)").matches ? 2 : 1);
/** The interval in milliseconds at which reminders become due without an event. */
const interval = 60_000;

const list = element("section", { class: "due", "aria-label": texts.reminders.overdue, hidden: true });
let reminders = [];
let isExpanded = false;
/** The reminder whose other actions a phone shows. */
let opened = null;
let timer = null;

/** The element for the frame. */
export const dueList = list;

export function followDue() {
    forgetDue();
    if (!may("read", "reminders")) return;
    timer = setInterval(() => { if (!document.hidden) loadDue(); }, interval);
    loadDue();
}

export function forgetDue() {
    clearInterval(timer);
    timer = null;
    reminders = [];
    draw();
}

/** Reloads the reminders. */
export async function loadDue() {
    if (timer === null) return;
    try {
        const answer = await get(path(["reminders"], { overdue: true, limit: 100 }));
        // One that was put off while the server could not be reached is no longer overdue.
        const results = answer.results.filter((reminder) => new Date(reminder.dueAt) <= new Date());
        if (timer === null || JSON.stringify(results) === JSON.stringify(reminders)) return;
        reminders = results;
        draw();
    } catch (error) {
        // The views report that the server cannot be reached.
        if (error.status !== 0 && error.status !== 401) fail(error);
    }
}

function draw() {
    showBadge(reminders.length);
    const shown = isExpanded ? reminders : reminders.slice(0, few());
    const rest = reminders.length - shown.length;
    list.hidden = reminders.length === 0;
    fill(list, element("ul", {}, shown.map(row)),
        (rest > 0 || isExpanded) && element("button", {
            type: "button", class: "plain", "aria-expanded": String(isExpanded), onclick: () => { isExpanded = !isExpanded; draw(); },
        }, isExpanded ? texts.reminders.fewer : texts.reminders.more(rest)));
}

/** Shows the number of overdue reminders at the icon of the installed page, where the system has such badges. */
function showBadge(count) {
    const shown = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
    // Some systems refuse badges without the permission for notifications.
    shown?.catch(() => {});
}

function row(reminder) {
    const act = (action) => async () => {
        try {
            await action();
            reminders = reminders.filter((one) => one.id !== reminder.id);
            draw();
        } catch (error) {
            fail(error);
        }
        await loadDue();
    };
    const button = (label, action, name) => element("button", { type: "button", class: "plain", "aria-label": name, onclick: act(action) }, label);
    const again = (time) => () => put(path(["prospects", reminder.prospect, "reminder"]), {
        json: { at: stamp(time), timeZone: timeZone() }, queued: texts.queue.reminder(reminder.name, moment(time)),
    });
    // A phone shows the name, and the other actions once they are asked for.
    const others = freshId("due");
    const more = element("button", {
        type: "button", class: "plain round due-more", "aria-label": texts.reminders.others(reminder.name), "aria-controls": others,
        onclick: () => open(opened !== reminder.id),
    }, icon("more"));
    const open = (isOpen) => {
        if (isOpen || opened === reminder.id) opened = isOpen ? reminder.id : null;
        whole.classList.toggle("open", isOpen);
        more.setAttribute("aria-expanded", String(isOpen));
    };
    const whole = element("li", { class: "due-row" }, icon("bell"),
        element("a", { href: address("prospects", reminder.prospect) },
            element("span", { class: "due-whole", dir: "auto" }, texts.reminders.due(reminder.name)),
            element("span", { class: "due-name", dir: "auto" }, reminder.name),
            " ", element("span", { class: "small muted" }, texts.reminders.since(moment(reminder.dueAt)))),
        may("write", "reminders") && element("div", { class: "due-actions" },
            may("write", "prospects") && button(texts.reminders.contacted, () => patch(path(["prospects", reminder.prospect]),
                { json: { contacted: true }, queued: texts.queue.contacted(reminder.name) })),
            more,
            element("div", { class: "due-others", id: others },
                button(texts.reminders.inHour, again(inHours(1))),
                button(texts.reminders.tomorrow, again(nineIn(1))),
                button(texts.reminders.dismiss, () => remove(path(["reminders", reminder.id]), { queued: texts.queue.dismissed(reminder.name) }),
                    texts.reminders.dismissNamed))));
    open(opened === reminder.id);
    return whole;
}
