// The Find view: search across all kinds. With an empty field it shows activities, reminders, prospects and favourites.

import { element, fill } from "../elements.js";
import { hasKeyboard } from "../keys.js";
import { firstRow, enableRowKeys } from "../list-keys.js";
import { fail } from "../messages.js";
import { get, path } from "../requests.js";
import { address, go } from "../routes.js";
import { rowContent, rowLink } from "../rows.js";
import { searchField } from "../search-field.js";
import { texts } from "../texts.js";
import { part, section, upcoming } from "../upcoming.js";
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
        offline: "contact prospect",
    });
    enableRowKeys(home, () => search.input);

    /** Loads the content for an empty field. */
    async function loadHome() {
        const [activities, comesUp, favourites, contacts] = await Promise.all([
            part("activities", fail, ["activities"], { limit: 3 }),
            upcoming(fail),
            part("contacts", fail, ["contacts"], { favourite: true, limit: 6 }),
            part("contacts", fail, ["contacts"], { limit: 1 }),
        ]);
        const parts = [
            section(texts.find.activities, activities.map((result) => activityRow(result))),
            ...comesUp,
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
