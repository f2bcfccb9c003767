// The people met on a day, such as today at a fair, with what follows: a note, a reminder, a mail, a table. It is loaded when it is first opened.

import "../main.js"; // for the bundle: what both share stays in the script of the page
import { saveTable } from "../bulk.js";
import { element } from "../elements.js";
import { icon } from "../icons.js";
import { mailTo } from "../links.js";
import { announce, fail } from "../messages.js";
import { patch, path } from "../requests.js";
import { address, go } from "../routes.js";
import { avatar } from "../rows.js";
import { texts } from "../texts.js";
import { dayName, moment, nineIn, today } from "../times.js";

/** Saves prospects as a table, with the columns of the server's. */
export function saveProspects(name, prospects) {
    const columns = ["id", "name", "email", "phone", "organization", "note", "met", "contacted", "contactedAt", "createdAt", "modifiedAt"];
    saveTable(name, [columns, ...prospects.map((prospect) => columns.map((key) => (key === "contacted" ? prospect[key] ? "yes" : "no" : prospect[key])))]);
}

/** Returns the days of meetings, the last first, each with its prospects: `Map(day, [{prospect, place}])`. */
function daysOf(prospects) {
    const days = new Map();
    for (const prospect of prospects) {
        const ofPerson = new Map((prospect.meetings ?? []).map(({ at, place }) => [today(new Date(at)), place]));
        for (const [day, place] of ofPerson) days.set(day, [...days.get(day) ?? [], { prospect, place }]);
    }
    return new Map([...days].sort(([one], [other]) => (one < other ? 1 : -1)));
}

/** Returns the sheet of a day such as "2026-11-28", by default the last one on which someone was met. */
export function daySheet(prospects, wanted, changes, reminderOf) {
    const days = daysOf(prospects);
    const day = wanted ?? days.keys().next().value ?? today();
    const met = days.get(day) ?? [];
    const people = met.map(({ prospect }) => prospect);
    const open = people.filter(({ contacted }) => !contacted);
    const name = (of) => dayName(new Date(`${of}T12:00`));
    const places = (entries) => [...new Set(entries.map(({ place }) => place).filter(Boolean))].slice(0, 2).join(", ");
    const title = (of, entries) => (places(entries) === "" ? name(of) : texts.day.at(name(of), places(entries)));
    const listed = new Map([[day, met], ...days]);
    const choice = element("select", {
        class: "field-input", "aria-label": texts.day.choose, onchange: () => go("prospects", "day", choice.value),
    }, [...listed].sort(([one], [other]) => (one < other ? 1 : -1)).map(([one, entries]) => element("option", { value: one }, texts.day.option(title(one, entries), entries.length))));
    choice.value = day;
    const action = (picture, label, act, kind = "button") => element("button", { type: "button", class: kind, onclick: () => {
        // An error of an action that does not wait is shown, too.
        new Promise((resolve) => { resolve(act()); }).catch(fail);
    } }, icon(picture), label);
    return element("article", { class: "day" },
        element("h2", {}, title(day, met)), element("p", { class: "muted" }, texts.day.count(people.length, people.length - open.length)),
        listed.size > 1 && choice,
        people.length === 0 ? element("p", { class: "muted" }, texts.day.empty) : element("div", { class: "actions" },
            open.length > 0 && action("bell", texts.day.remindAll, () => changes.remind(open), "primary"),
            open.length > 0 && action("tick", texts.day.contactedAll, () => changes.setContacted(open, true)),
            action("mail", texts.day.mail, () => mailTo(people.map(({ email }) => email))),
            action("export", texts.selection.table, () => saveProspects(`${day}.csv`, people))),
        element("ul", { class: "sheet" }, people.map((prospect) => personRow(prospect, changes, reminderOf(prospect.id)))));
}

function personRow(prospect, changes, reminder) {
    const name = prospect.name || texts.unnamed;
    const box = element("input", {
        type: "checkbox", class: "tick", "aria-label": texts.prospects.contacted, "aria-description": name, checked: prospect.contacted,
        onchange: () => changes.setContacted([prospect], box.checked).catch((error) => {
            box.checked = !box.checked;
            fail(error);
        }),
    });
    const note = element("input", {
        type: "text", class: "field-input", placeholder: texts.prospects.fields.note, "aria-label": texts.day.noteOn(name), autocomplete: "off", dir: "auto",
        onchange: async () => {
            try {
                await patch(path(["prospects", prospect.id]), { json: { note: note.value.trim() }, queued: texts.queue.prospect(name) });
                announce(texts.prospects.saved(name));
            } catch (error) {
                fail(error);
            }
        },
        onkeydown: (event) => { if (event.key === "Enter") note.blur(); },
    });
    note.value = prospect.note ?? "";
    return element("li", { class: "sheet-row" },
        box, avatar("row-picture", prospect, { picture: "prospects" }),
        element("a", { class: "sheet-name", href: address("prospects", prospect.id) },
            element("b", { dir: "auto" }, name), element("span", { class: "small muted", dir: "auto" }, prospect.organization || prospect.email || prospect.phone || "")),
        !prospect.contacted && (reminder
            ? element("span", { class: "row-reminder" }, icon("bell"), moment(reminder.dueAt))
            : element("button", { type: "button", class: "plain", "aria-label": texts.day.remindOf(name), onclick: () => changes.remind([prospect], nineIn(1)).catch(fail) },
                icon("bell"), texts.day.remind)),
        note);
}
