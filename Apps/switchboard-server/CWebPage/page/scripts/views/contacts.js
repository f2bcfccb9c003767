// The Contacts view: search by text or keypad, list, details, forms and import.

import { element, fill } from "../elements.js";
import { recordChoice } from "../engagement.js";
import { fileButton } from "../forms.js";
import { UserError } from "../errors.js";
import { icon } from "../icons.js";
import { isTyping } from "../keys.js";
import { keypad } from "../keypad.js";
import { later } from "../later.js";
import { letterIndex } from "../letter-index.js";
import { firstRow, enableRowKeys } from "../list-keys.js";
import { menu } from "../menu.js";
import { announce, fail, note } from "../messages.js";
import { openDialog } from "../dialogs.js";
import { panes } from "../panes.js";
import { get, getAll, patch, path, post, tagOf } from "../requests.js";
import { mailTo } from "../links.js";
import { address, backAddress, go } from "../routes.js";
import { rowContent, rowLink } from "../rows.js";
import { searchField } from "../search-field.js";
import { selection } from "../selection.js";
import { texts } from "../texts.js";
import { removeUnlessUndone } from "../waiting.js";
import { windowedList } from "../windowed-list.js";
import { contactDetail } from "./contact-detail.js";

const loadForm = () => later(import("./contact-form.js"));
const loadChanges = () => later(import("./contact-changes.js"));

export function contactsView() {
    let open = null;
    // The contact after a deleted one, which gets the focus.
    let successor = "";
    // Contacts that are deleted once their undo notice is gone.
    const leaving = new Set();

    /** The parameters of the group that is listed, or of the favourites; none for all. */
    let chosen = {};

    const letters = letterIndex({ label: texts.contacts.letters, go: (number) => list.scrollToRow(number) });
    const list = windowedList({
        label: texts.views.contacts,
        load: (cursor, limit, signal, stored = false) => get(path(["contacts"], { ...chosen, cursor, limit }), { signal, stored }),
        row: (result) => [
            several.box(result),
            rowLink(result, { trailing: result.contact?.favourite ? icon("star") : null, onclick: (event) => several.click(event, result) }),
        ],
        isHidden: (result) => leaving.has(result.id),
        empty: () => (Object.keys(chosen).length > 0 ? element("p", {}, texts.contacts.emptyGroup)
            : [element("h2", {}, texts.contacts.emptyTitle), element("p", {}, texts.contacts.empty)]),
        loaded: (count) => {
            if (!search.isOpen) announce(count === 0 ? "" : texts.contacts.count(count));
        },
        scrolled: (number) => letters.follow(number),
    });
    const rows = element("div", { class: "with-letters" }, list.element, letters.element);

    /** Loads the list and its letters again, from the first row on if another group was chosen. */
    async function reload({ fromStart = false } = {}) {
        // The letters are those of all contacts.
        const counts = Object.keys(chosen).length > 0 ? { results: [] } : get(path(["contacts", "letters"]));
        const [answer] = await Promise.all([counts, fromStart ? list.restart() : list.reload()]);
        letters.show(answer.results);
        if (!fromStart) await showGroups();
    }

    const groups = element("select", {
        class: "field-input", "aria-label": texts.contacts.shown, onchange: () => {
            chosen = JSON.parse(groups.value);
            reload({ fromStart: true }).catch(fail);
        },
    });
    const option = (value, text) => element("option", { value: JSON.stringify(value) }, text);
    fill(groups, option({}, texts.contacts.all));
    const others = element("div", { class: "others" }, groups);

    /** Shows the groups to choose from. */
    async function showGroups() {
        const { results } = await get(path(["contacts", "groups"]));
        const wanted = JSON.stringify(chosen);
        fill(groups, option({}, texts.contacts.all), option({ favourite: true }, texts.contacts.favourites),
            results.map(({ name, count }) => option({ group: name }, texts.contacts.group(name, count))));
        groups.value = wanted;
        if (groups.value === wanted) return;
        // The group no longer exists.
        chosen = {};
        groups.value = "{}";
        await reload({ fromStart: true });
    }

    const pad = keypad({
        press: (key) => search.set(search.input.value + key),
        erase: () => search.set(Array.from(search.input.value).slice(0, -1).join("")),
        clear: () => search.set(""),
    });
    const padButton = element("button", {
        type: "button", class: "button", "aria-expanded": "false", "aria-controls": pad.id, onclick: () => togglePad(),
    }, icon("keypad"), texts.contacts.keypad);

    function togglePad() {
        const opens = pad.hidden;
        pad.hidden = !opens;
        padButton.setAttribute("aria-expanded", String(opens));
        // Suppress the virtual keyboard, which would cover the keypad.
        search.input.setAttribute("inputmode", opens ? "none" : "text");
        search.input.setAttribute("placeholder", opens ? texts.contacts.padPlaceholder : texts.contacts.placeholder);
        search.set("");
        search.input.focus();
    }

    async function importFile([file]) {
        if (/^(image|video|audio)\//.test(file.type)) throw new UserError(texts.contacts.notCards(file.name));
        announce(texts.contacts.importing(file.name));
        const isTable = /\.csv$/i.test(file.name) || file.type === "text/csv";
        let report;
        try {
            report = await post(path(["contacts", "import"]), { body: file, type: isTable ? "text/csv" : "text/vcard" });
        } catch (error) {
            // Nothing could be imported.
            if (error.status !== 422) throw error;
            announce("");
            const skipped = error.problem.skipped ?? [{ line: error.problem.line, reason: error.message }];
            await showLines(texts.contacts.leftOutTitle, skipped.map(texts.contacts.leftOut));
            return;
        }
        await reload();
        const isUndoable = report.added + report.merged > 0;
        note(texts.contacts.imported(report), isUndoable ? [{ label: texts.undo, act: undoImport }] : []);
        const undo = isUndoable && texts.contacts.undoImport;
        for (const [title, lines] of [
            [texts.contacts.leftOutTitle, report.skipped.map(texts.contacts.leftOut)],
            [texts.contacts.changedTitle, report.changed.map(texts.contacts.leftOut)],
            [texts.contacts.mergedTitle, report.merges.map(texts.contacts.mergedInto)],
        ]) {
            if (lines.length > 0 && await showLines(title, lines, undo)) return undoImport();
        }
    }

    async function undoImport() {
        const undone = await post(path(["contacts", "import", "undo"]));
        await Promise.all([reload(), search.refresh()]);
        note(texts.contacts.importUndone(undone));
        if (undone.kept.length > 0) await showLines(texts.contacts.keptTitle, undone.kept.map(({ name }) => name));
    }

    /** Shows lines about single cards. Returns whether the action was chosen. */
    function showLines(title, lines, action) {
        return openDialog(title, (close) => [
            element("ul", { class: "plain-list" }, lines.map((line) => element("li", {}, line))),
            action && element("div", { class: "actions" },
                element("button", { type: "button", onclick: () => close(true) }, action)),
        ]);
    }

    const link = (picture, text, href, properties = {}) => element("a", { class: "button", href, ...properties }, icon(picture), text);
    const tools = element("div", { class: "tools" }, padButton,
        link("add", texts.contacts.add, address("contacts", "new")),
        element("button", { type: "button", class: "button", onclick: () => several.begin() }, icon("select"), texts.selection.begin),
        menu(texts.more, [
            fileButton(texts.contacts.importLabel, [icon("import"), texts.contacts.import],
                { accept: ".vcf,.vcard,.csv,text/vcard,text/csv", chosen: importFile }),
            link("export", texts.contacts.export, "/v1/contacts.vcf", { download: "contacts.vcf" }),
            link("copy", texts.contacts.duplicates, address("contacts", "duplicates")),
        ]));
    /** Returns whether a query is one of the keypad. Letters are searched for as text even if it is open. */
    const isDialed = (query) => !pad.hidden && /^\+?[\d ]*$/.test(query);
    const asked = (query) => (isDialed(query) ? { keypad: query } : { q: query });
    const search = searchField({
        label: texts.contacts.label, placeholder: texts.contacts.placeholder,
        async search(query, signal) {
            const answer = await get(path(["contacts"], { ...asked(query), limit: 30 }), { signal });
            return { ...answer, results: answer.results.filter((result) => !leaving.has(result.id)) };
        },
        total: (query, signal) => get(path(["contacts"], { ...asked(query), limit: 1, cursor: 0 }), { signal }),
        option: (result) => rowContent(result),
        choose: (result, query) => {
            recordChoice(result, query, { isKeypad: isDialed(query) });
            go("contacts", result.id);
        },
        changed: (query, isOpen) => {
            rows.hidden = isOpen;
            others.hidden = isOpen || !pad.hidden;
            if (!isOpen && list.results.length > 0) list.draw();
        },
        below: () => firstRow(list.list),
        // The digits of the keypad would be searched for as text.
        isInAddress: (query) => !isDialed(query),
        offline: "contact",
        tools: [tools, pad, others],
    });
    enableRowKeys(list.list, () => search.input);

    const changed = () => Promise.all([reload(), search.refresh()]);
    const contactsOf = (results) => results.map((result) => ({ ...result.contact, id: result.id, etag: result.etag }));
    /** Loads the module with the changes of several contacts, and makes one of them. */
    const changeSeveral = (name) => async (results) => (await loadChanges())[name](contactsOf(results), changed);
    const several = selection({
        list: () => list,
        all: async () => (await getAll(["contacts"], chosen)).filter((result) => !leaving.has(result.id)),
        actions: [
            { label: texts.contacts.favourite, picture: "star", key: "F", act: changeSeveral("makeFavourites") },
            { label: texts.contacts.groupAdd, picture: "group", key: "G", act: changeSeveral("addToGroup") },
            { label: texts.contacts.mail, picture: "mail", key: "M", act: (results) => mailTo(contactsOf(results).map((contact) => contact.emails?.[0]?.address)) },
            { label: texts.selection.table, picture: "export", key: "C", act: changeSeveral("saveContacts") },
            { label: texts.contacts.delete, picture: "remove", key: "Delete", isDangerous: true, act: (results) => erase(contactsOf(results)) },
        ],
    });

    // The shortcuts of the details, for the focused row.
    list.list.addEventListener("keydown", (event) => {
        if (isTyping(event)) return;
        const result = list.results.find(({ id }) => id === event.target.closest("li")?.dataset.id);
        if (!result || event.target.matches("input") && event.key === " ") return;
        const act = several.key(event, result) ? () => {} : {
            e: () => go("contacts", result.id, "edit"), Delete: () => erase(contactsOf([result])),
            f: () => patch(path(["contacts", result.id]), { json: { favourite: !result.contact.favourite }, queued: texts.queue.contact(result.title) }).then(changed),
        }[event.key];
        if (!act) return;
        event.preventDefault();
        Promise.resolve(act()).catch(fail);
    });

    const both = panes([search.element, rows, several.bar], "contacts");

    /** Removes contacts once it can no longer be undone. The row after them gets the focus. */
    function erase(contacts) {
        const ids = new Set(contacts.map(({ id }) => id));
        const rows = list.results.filter((result) => !leaving.has(result.id));
        const last = rows.findLastIndex((result) => ids.has(result.id));
        successor = (rows[last + 1] ?? rows.findLast((result) => !ids.has(result.id)))?.id ?? "";
        const name = contacts.length === 1 ? contacts[0].name || texts.unnamed : texts.contacts.count(contacts.length);
        for (const id of ids) leaving.add(id);
        const isInList = list.list.contains(document.activeElement);
        if (ids.has(open)) location.hash = backAddress("contacts");
        list.draw();
        if (isInList) list.rowOf(successor)?.focus({ preventScroll: true });
        search.refresh();
        const stay = () => { for (const id of ids) leaving.delete(id); };
        removeUnlessUndone(texts.contacts.deleted(name),
            contacts.map(({ id, name: one }) => ({ path: path(["contacts", id]), what: texts.queue.removedContact(one || texts.unnamed) })),
            async () => {
                stay();
                list.draw();
                await search.refresh();
            }, () => {
                stay();
                return reload();
            });
    }

    const detail = contactDetail({ changed, erase });

    async function show([id, action], isNew, focuses = true) {
        const before = open;
        open = id ?? null;
        if (id === undefined) {
            both.empty();
            // Before the list is loaded: afterwards the focus may be elsewhere.
            both.restore(before && !search.isOpen ? list.rowOf(before) ?? list.rowOf(successor) ?? firstRow(list.list) : null, search.input);
        }
        if (isNew) await reload();
        if (id === undefined || open !== id) return;
        if (id === "duplicates") {
            const { duplicates } = await later(import("./duplicates.js"));
            const content = await duplicates(reload);
            if (open === id) both.show(content, { focuses });
        } else if (id === "new") {
            const { contactForm } = await loadForm();
            if (open !== id) return;
            both.show(contactForm(null, null, {
                done: (contact) => go("contacts", contact.id), cancel: () => go("contacts"), again: () => show(["new"]),
            }), { focuses });
            both.element.querySelector(".detail input")?.focus();
        } else {
            const isForm = action === "edit";
            const known = list.results.find((result) => result.id === id)?.contact;
            if (known && !isForm) both.show(detail(known), { focuses });
            else if (id !== before) both.await();
            const [answer, { contactForm }] = await Promise.all([get(path(["contacts", id])), isForm ? loadForm() : {}]);
            if (open !== id) return;
            const contact = answer.contact;
            if (known && !isForm && JSON.stringify(known) === JSON.stringify(contact)) return;
            const leaveForm = () => go("contacts", id);
            const content = isForm ? contactForm(contact, tagOf(answer), {
                done: async () => {
                    leaveForm();
                    await Promise.all([reload(), search.refresh()]);
                },
                cancel: leaveForm,
                again: () => show([id, action]),
            }) : detail(contact);
            both.show(content, { focuses });
            if (isForm && focuses) both.element.querySelector(".detail input")?.focus();
        }
    }

    return {
        search,
        element: both.element,
        show,
        async refresh(changed) {
            if (!changed.has("contacts")) return;
            await reload();
            await search.refresh();
            const isForm = both.element.querySelector(".detail form") !== null;
            if (open !== null && !["new", "duplicates"].includes(open) && !isForm && !both.hasFocus) await show([open], false, false);
        },
    };
}
