// The Find view: search across all kinds. With an empty field it shows activities, reminders, prospects and favourites.

import { element, fill } from "../elements.js";
import { hasKeyboard } from "../keys.js";
import { firstRow, enableRowKeys } from "../list-keys.js";
import { fail } from "../messages.js";
import { get, path } from "../requests.js";
import { address, go } from "../routes.js";
import { rowContent, rowLink } from "../rows.js";
import { searchField } from "../search-field.js";
import { may } from "../session.js";
import { texts } from "../texts.js";
import { moment, today } from "../times.js";
import { activityRow, openItem, recordChoice } from "../engagement.js";

export function findView() {
    const home = element("div", { class: "home" });
    const search = searchField({
        label: texts.find.label, placeholder: texts.find.placeholder,
        search: (query, signal) => get(path(["find"], { q: query, limit: 20 }), { signal }),
        total: (query, signal) => get(path(["find"], { q: query, limit: 1, cursor: 0 }), { signal }),
        option: (result) => rowContent(result, { showsKind: true }),
        choose: (result, query) => {
            if (result.kind === "item") openItem(result, query).catch(fail);
            else if (views[result.kind]) {
                recordChoice(result, query);
                go(views[result.kind], result.id);
            }
        },
        changed: (query, isOpen) => { home.hidden = isOpen; },
        below: () => firstRow(home),
    });
    enableRowKeys(home, () => search.input);

    /** Loads the content for an empty field. Its parts may fail independently. */
    async function loadHome() {
        const part = async (domain, ...address) => {
            try {
                return may("read", domain) ? (await get(path(...address))).results : [];
            } catch (error) {
                fail(error);
                return [];
            }
        };
        const [activities, prospects, reminders, favourites, birthdays, contacts] = await Promise.all([
            part("activities", ["activities"], { limit: 3 }),
            part("prospects", ["prospects"], { filter: "uncontacted", sort: "recent", limit: 5 }),
            part("reminders", ["reminders"], { state: "pending", limit: 3 }),
            part("contacts", ["contacts"], { favourite: true, limit: 6 }),
            part("contacts", ["contacts", "birthdays"], { days: 14, from: today() }),
            part("contacts", ["contacts"], { limit: 1 }),
        ]);
        const parts = [
            section(texts.find.activities, activities.map((result) => activityRow(result))),
            section(texts.find.reminders, reminders.map((reminder) => rowLink(
                { kind: "prospect", id: reminder.prospect, title: reminder.name, subtitle: moment(reminder.dueAt) })), address("prospects", "reminders")),
            section(texts.find.birthdays, birthdays.map((result) => rowLink(result, { subtitle: texts.find.birthday(result.birthday) }))),
            section(texts.find.toContact, prospects.map((result) => rowLink(result))),
            section(texts.find.favourites, favourites.map((result) => rowLink(result))),
        ].filter(Boolean);
        const focused = home.contains(document.activeElement);
        fill(home, parts.length > 0 ? parts : contacts.length > 0 ? hints() : welcome());
        if (focused) firstRow(home)?.focus();
    }

    return {
        search,
        element: element("div", { class: "column" }, search.element, home),
        async show([query], isNew) {
            if (query !== undefined && query !== search.query) await search.set(query);
            if (isNew && hasKeyboard()) search.input.focus();
            await loadHome();
        },
        async refresh() {
            await loadHome();
            await search.refresh();
        },
    };
}

const views = { contact: "contacts", prospect: "prospects", airport: "airports" };

/** Creates a section, with a link to all rows. */
function section(title, rows, all) {
    return rows.length > 0 && element("section", { class: "block" },
        element("div", { class: "block-head" }, element("h2", {}, title), all && element("a", { class: "button plain", href: all }, texts.find.all)),
        element("ul", { class: "rows" }, rows.map((row) => element("li", { class: "item" }, row))));
}

function welcome() {
    return element("div", { class: "empty" }, element("h2", {}, texts.find.emptyTitle), element("p", {}, texts.find.empty),
        element("div", { class: "actions" },
            element("a", { class: "button primary", href: address("prospects", "camera") }, texts.find.scan),
            element("a", { class: "button", href: address("contacts") }, texts.find.importContacts)));
}

function hints() {
    return element("div", { class: "hints" }, element("h2", {}, texts.find.hintsTitle),
        element("ul", {}, texts.find.hints.map(([sample, meaning]) => element("li", {}, element("kbd", {}, sample), " ", meaning))));
}
