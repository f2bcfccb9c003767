// The details and actions of a prospect.

import { element } from "../elements.js";
import { icon } from "../icons.js";
import { mailbox, telephone } from "../links.js";
import { fail } from "../messages.js";
import { address } from "../routes.js";
import { initials } from "../rows.js";
import { texts } from "../texts.js";
import { moment } from "../times.js";
import { way } from "./contact-detail.js";

/** Returns a function that creates the details of a prospect. `reminderOf(id)` returns the pending reminder. */
export function prospectDetail(changes, reminderOf) {
    return (prospect) => {
        const name = prospect.name || texts.unnamed;
        const reminder = reminderOf(prospect.id);
        const box = element("input", {
            type: "checkbox", class: "switch", checked: prospect.contacted,
            onchange: () => changes.setContacted(prospect, box.checked).catch((error) => {
                box.checked = !box.checked;
                fail(error);
            }),
        });
        const remind = element("button", { type: "button", class: "button", onclick: () => changes.remind(prospect).catch(fail), "aria-keyshortcuts": "R", hidden: prospect.contacted },
            icon("bell"), texts.prospects.remind);
        const edit = element("a", { class: "button", href: address("prospects", prospect.id, "edit"), "aria-keyshortcuts": "E" }, icon("edit"), texts.prospects.edit);
        const erase = element("button", { type: "button", class: "button danger", "aria-keyshortcuts": "Delete", onclick: () => changes.erase(prospect).catch(fail) },
            icon("remove"), texts.prospects.delete);
        const meetings = prospect.meetings ?? [];
        return element("article", { class: "person" },
            element("header", { class: "person-head" },
                element("span", { class: "portrait", "aria-hidden": "true" }, initials(name) || icon("prospects")),
                element("div", {}, element("h2", { dir: "auto" }, name), element("p", { class: "muted", dir: "auto" }, prospect.organization ?? ""))),
            element("label", { class: "switch-line" }, box, texts.prospects.contacted),
            reminder && element("p", { class: "reminder-line" }, icon("bell"), texts.prospects.reminder(moment(reminder.dueAt)),
                element("button", { type: "button", class: "plain", onclick: () => changes.cancelReminder(reminder).catch(fail) }, texts.prospects.cancelReminder)),
            element("ul", { class: "ways" },
                prospect.email && way("mail", mailbox(prospect.email), prospect.email),
                prospect.phone && way("phone", telephone({ number: prospect.phone }), prospect.phone)),
            element("div", { class: "actions" }, remind, edit, erase),
            meetings.length > 0 && element("ul", { class: "plain-list muted" }, meetings.map((meeting) => element("li", { dir: "auto" },
                meeting.place ? texts.prospects.metAt(moment(meeting.at), meeting.place) : texts.prospects.met(moment(meeting.at))))),
            prospect.note && element("p", { class: "long", dir: "auto" }, prospect.note));
    };
}
