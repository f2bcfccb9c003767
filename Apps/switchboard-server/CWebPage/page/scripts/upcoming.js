// What comes up: reminders, birthdays and the people to contact. It is a part of Find, and beside the details of wide screens.

import { element, fill } from "./elements.js";
import { get, path } from "./requests.js";
import { address } from "./routes.js";
import { rowLink } from "./rows.js";
import { may } from "./session.js";
import { texts } from "./texts.js";
import { moment, today } from "./times.js";

/** Loads the rows of a list if the session may read it. Its parts may fail independently. */
export async function part(domain, report, ...address) {
    try {
        return may("read", domain) ? (await get(path(...address))).results : [];
    } catch (error) {
        report(error);
        return [];
    }
}

/** Creates a section, with a link to all rows; false without rows. */
export function section(title, rows, all, name = texts.find.all) {
    return rows.length > 0 && element("section", { class: "block" },
        element("div", { class: "block-head" }, element("h2", {}, title), all && element("a", { class: "button plain", href: all }, name)),
        element("ul", { class: "rows" }, rows.map((row) => element("li", { class: "item" }, row))));
}

/** Returns the sections of what comes up, falsy ones for those without rows. */
export async function upcoming(report) {
    const [prospects, reminders, birthdays] = await Promise.all([
        part("prospects", report, ["prospects"], { filter: "uncontacted", sort: "recent", limit: 5 }),
        part("reminders", report, ["reminders"], { state: "pending", limit: 3 }),
        part("contacts", report, ["contacts", "birthdays"], { days: 14, from: today() }),
    ]);
    return [
        section(texts.find.reminders, reminders.map((reminder) => rowLink(
            { kind: "prospect", id: reminder.prospect, title: reminder.name, subtitle: moment(reminder.dueAt) })), address("prospects", "reminders")),
        section(texts.find.birthdays, birthdays.map((result) => rowLink(result, { subtitle: texts.find.birthday(result.birthday) }))),
        section(texts.find.toContact, prospects.map((result) => rowLink(result)), address("prospects", "day"), texts.day.title),
    ];
}

/** The column of the shown view with what comes up, which wide screens have. */
export const upcomingColumn = () => element("section", { class: "upcoming", "aria-label": texts.find.upcoming });

/** Loads what comes up into the column of the shown view, if it is seen. */
export async function showUpcoming() {
    const column = document.querySelector(".view .upcoming");
    if (!column?.checkVisibility()) return;
    // The list says that the server cannot be reached.
    const sections = (await upcoming(() => {})).filter(Boolean);
    const fresh = element("div", {}, sections.length > 0 ? sections : element("p", { class: "hint" }, texts.find.nothingComesUp));
    // What has not changed stays, with the focus and a press on it.
    if (fresh.innerHTML !== column.innerHTML) fill(column, [...fresh.childNodes]);
}
