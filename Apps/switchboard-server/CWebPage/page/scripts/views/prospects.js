// The Prospects view: search, filters, list, details and badge scanning.

import { element, fill, freshId } from "../elements.js";
import { recordChoice } from "../engagement.js";
import { fileButton } from "../forms.js";
import { icon } from "../icons.js";
import { isTyping } from "../keys.js";
import { later } from "../later.js";
import { letterIndex } from "../letter-index.js";
import { firstRow, enableRowKeys } from "../list-keys.js";
import { mailTo } from "../links.js";
import { menu } from "../menu.js";
import { announce, fail } from "../messages.js";
import { panes } from "../panes.js";
import { pictureTypes } from "../pictures.js";
import { get, getAll, path, tagOf } from "../requests.js";
import { address, backAddress, go, goInstead, route } from "../routes.js";
import { rowContent, rowLink } from "../rows.js";
import { searchField } from "../search-field.js";
import { selection } from "../selection.js";
import { may } from "../session.js";
import { swipeable } from "../swipe.js";
import { texts } from "../texts.js";
import { moment } from "../times.js";
import { windowedList } from "../windowed-list.js";
import { prospectChanges } from "./prospect-changes.js";
import { prospectDetail } from "./prospect-detail.js";
import { prospectForm } from "./prospect-form.js";
import { scanPictures } from "./scanning.js";

const loadDay = () => later(import("./day.js"));

export function prospectsView() {
    let open = null;
    /** The number of times that something was opened, to drop what is loaded too late. */
    let turns = 0;
    let filter = "everyone";
    let sort = "recent";
    let reminders = new Map();
    let hasReminders = false;
    let loadingReminders = null;

    // The letters make sense only in the order of names.
    const letters = letterIndex({ label: texts.prospects.letters, go: (number) => list.scrollToRow(number) });
    const list = windowedList({
        label: texts.views.prospects,
        async load(cursor, limit, signal, stored = false) {
            const [answer] = await Promise.all([
                get(path(["prospects"], { filter, sort, cursor, limit }), { signal, stored }), stored ? loadReminders({ stored }) : loadingReminders,
            ]);
            return answer;
        },
        row: prospectRow,
        empty: () => (filter === "everyone"
            ? [element("h2", {}, texts.prospects.emptyTitle), element("p", {}, texts.prospects.empty)]
            : element("p", {}, texts.prospects.emptyFilter[filter])),
        loaded: (count) => {
            if (!search.isOpen) announce(texts.prospects.count(count));
        },
        scrolled: (number) => letters.follow(number),
    });
    const rows = element("div", { class: "with-letters" }, list.element, letters.element);

    /** Loads the pending reminders, which the rows show. */
    async function loadReminders(options) {
        if (!may("read", "reminders")) return;
        const pending = new Map((await getAll(["reminders"], { state: "pending" }, options)).map((reminder) => [reminder.prospect, reminder]));
        // A stored response may arrive after that of the server.
        if (options?.stored && hasReminders) return;
        hasReminders ||= !options?.stored;
        reminders = pending;
    }

    /** Loads the list and its letters again, from the first row on if the filter or the order has changed. */
    async function reload({ fromStart = false } = {}) {
        loadingReminders = loadReminders();
        const counts = sort === "name" ? get(path(["prospects", "letters"], { filter })) : { results: [] };
        const [answer] = await Promise.all([counts, fromStart ? list.restart() : list.reload()]);
        letters.show(answer.results);
    }

    function prospectRow(result, item) {
        const prospect = result.prospect;
        const reminder = reminders.get(result.id);
        const link = rowLink(result, {
            note: reminder && element("span", { class: "row-reminder" }, icon("bell"), moment(reminder.dueAt)),
            onclick: (event) => several.click(event, result),
        });
        const nameId = freshId("name");
        link.querySelector(".row-title").id = nameId;
        const box = several.box(result, nameId) ?? element("input", {
            type: "checkbox", class: "tick", "aria-label": texts.prospects.contacted, "aria-describedby": nameId, checked: prospect.contacted,
            onchange: () => changes.setContacted([prospect], box.checked).catch((error) => {
                box.checked = !box.checked;
                fail(error);
            }),
        });
        item.classList.toggle("contacted", prospect.contacted === true);
        const moved = element("div", { class: "swipe" }, box, link);
        swipeable(item, moved, {
            right: () => changes.setContacted([prospect], !prospect.contacted).catch(fail),
            left: () => changes.remind([prospect]).catch(fail),
        });
        return [
            element("span", { class: "behind behind-right", "aria-hidden": "true" }, icon("tick"), texts.prospects.contacted),
            element("span", { class: "behind behind-left", "aria-hidden": "true" }, texts.prospects.remind, icon("bell")),
            moved,
        ];
    }

    const changes = prospectChanges({
        reminderOf: (id) => reminders.get(id),
        async changed() {
            await reload();
            await search.refresh();
            if (open !== null && !both.element.querySelector(".detail form")) await showDetail(open, false);
        },
        left(prospects) {
            const last = list.list.contains(document.activeElement) ? document.activeElement.closest("li") : null;
            const next = last?.nextElementSibling ?? last?.previousElementSibling;
            next?.querySelector("a.row")?.focus({ preventScroll: true });
            if (prospects.some(({ id }) => open === id)) location.hash = backAddress("prospects");
        },
    });

    const prospectsOf = (results) => results.map((result) => ({ ...result.prospect, id: result.id }));
    const several = selection({
        list: () => list,
        all: () => getAll(["prospects"], { filter, sort }),
        actions: [
            { label: texts.prospects.contacted, picture: "tick", key: "D", act: (results) => changes.setContacted(prospectsOf(results).filter(({ contacted }) => !contacted), true) },
            { label: texts.prospects.remind, picture: "bell", key: "R", act: (results) => changes.remind(prospectsOf(results)) },
            { label: texts.contacts.mail, picture: "mail", key: "M", act: (results) => mailTo(prospectsOf(results).map(({ email }) => email)) },
            { label: texts.selection.table, picture: "export", key: "C", act: async (results) => (await loadDay()).saveProspects("prospects.csv", prospectsOf(results)) },
            { label: texts.prospects.delete, picture: "remove", key: "Delete", isDangerous: true, act: (results) => changes.erase(prospectsOf(results)) },
        ],
    });

    // The shortcuts of the terminal program, for the focused row.
    list.list.addEventListener("keydown", (event) => {
        if (isTyping(event) || event.target.matches("input")) return;
        const id = event.target.closest("li")?.dataset.id;
        const result = list.results.find((one) => one.id === id);
        const prospect = result?.prospect;
        const act = result && several.key(event, result) ? () => {} : prospect && {
            " ": () => changes.setContacted([prospect], !prospect.contacted), r: () => changes.remind([prospect]),
            e: () => go("prospects", id, "edit"), Delete: () => changes.erase([prospect]),
        }[event.key];
        if (!act) return;
        event.preventDefault();
        Promise.resolve(act()).catch(fail);
    });

    const filters = Object.entries(texts.prospects.filters).map(([key, name]) => element("button", {
        type: "button", class: "segment", "aria-pressed": String(key === filter), onclick: () => {
            filter = key;
            for (const [other, button] of filters.entries()) {
                button.setAttribute("aria-pressed", String(Object.keys(texts.prospects.filters)[other] === key));
            }
            Promise.all([reload({ fromStart: true }), search.refresh()]).catch(fail);
        },
    }, name));
    const order = element("button", {
        type: "button", class: "plain order", onclick: () => {
            sort = sort === "recent" ? "name" : "recent";
            nameOrder();
            reload({ fromStart: true }).catch(fail);
        },
    });
    function nameOrder() {
        fill(order, icon("order"), texts.prospects.sorts[sort]);
        order.setAttribute("aria-label", texts.prospects.sortedBy(texts.prospects.sorts[sort]));
    }
    nameOrder();

    const link = (picture, text, href, properties = {}) => element("a", { class: "button", href, ...properties }, icon(picture), text);
    const tools = element("div", { class: "tools" },
        element("button", { type: "button", class: "button primary", "aria-label": texts.prospects.camera, onclick: () => go("prospects", "camera") },
            icon("camera"), texts.prospects.cameraShort),
        fileButton(texts.prospects.picture, [icon("picture"), texts.prospects.pictureShort], {
            accept: pictureTypes, multiple: true, chosen: async (files) => {
                await scanPictures(files);
                await reload();
            },
        }),
        element("a", { class: "button", href: address("prospects", "me") }, icon("badge"), texts.prospects.me),
        element("a", { class: "button", href: address("prospects", "new") }, icon("add"), texts.prospects.add),
        menu(texts.more, [
            link("day", texts.day.title, address("prospects", "day")),
            element("button", { type: "button", class: "button", onclick: () => several.begin() }, icon("select"), texts.selection.begin),
            link("export", texts.prospects.exportTable, "/v1/prospects.csv", { download: "prospects.csv" }),
            link("export", texts.prospects.exportCards, "/v1/prospects.vcf", { download: "prospects.vcf" }),
        ]));
    const filterLine = element("div", { class: "filters" },
        element("div", { class: "segments", role: "group", "aria-label": texts.prospects.filter }, filters), order);
    const search = searchField({
        label: texts.prospects.label, placeholder: texts.prospects.placeholder,
        search: (query, signal) => get(path(["prospects"], { q: query, filter, limit: 30 }), { signal }),
        total: (query, signal) => get(path(["prospects"], { q: query, filter, limit: 1, cursor: 0 }), { signal }),
        option: (result) => [rowContent(result), result.prospect?.contacted
            && element("span", { class: "row-kind" }, texts.prospects.contacted)],
        choose: (result, query) => {
            recordChoice(result, query);
            go("prospects", result.id);
        },
        changed: (query, isOpen) => {
            rows.hidden = isOpen;
            if (!isOpen && list.results.length > 0) list.draw();
        },
        below: () => firstRow(list.list),
        offline: "prospect",
        tools: [tools, filterLine],
    });
    enableRowKeys(list.list, () => search.input);

    const both = panes([search.element, rows, several.bar], "prospects");
    const detail = prospectDetail(changes, (id) => reminders.get(id));

    async function showDetail(id, focuses, action) {
        if (id === "day") return showDay(route().parts[1], focuses);
        const known = list.results.find((result) => result.id === id)?.prospect;
        if (known && action !== "edit") both.show(detail(known), { focuses });
        else if (focuses) both.await();
        const answer = await get(path(["prospects", id]));
        const { prospect } = answer;
        if (open !== id) return;
        if (action !== "edit") {
            if (JSON.stringify(known) === JSON.stringify(prospect)) return;
            both.show(detail(prospect), { focuses });
            return;
        }
        both.show(prospectForm(prospect, tagOf(answer), {
            done: async () => {
                go("prospects", id);
                await Promise.all([reload(), search.refresh()]);
            },
            cancel: () => go("prospects", id),
            again: () => show([id, action]),
        }), { focuses });
        both.element.querySelector(".detail input")?.focus();
    }

    /** Shows the people of a day, or of the last one. */
    async function showDay(day, focuses = true) {
        const turn = turns;
        const [{ daySheet }, results] = await Promise.all([loadDay(), getAll(["prospects"], { sort: "recent" }), loadReminders()]);
        if (turn === turns) both.show(daySheet(prospectsOf(results), day, changes, (id) => reminders.get(id)), { focuses });
    }

    /** Opens the dialog of an address once its module is there, and leaves the address when it is closed or cannot be opened. */
    async function openDialogOf(id, module, opened) {
        const turn = turns;
        let isWanted = true;
        try {
            const made = await module;
            isWanted = turn === turns;
            if (isWanted) await opened(made);
        } finally {
            if (isWanted && location.hash === address("prospects", id)) goInstead("prospects");
        }
    }

    async function show([id, action], isNew) {
        const before = open;
        const turn = ++turns;
        open = null;
        if (id === undefined) {
            both.empty();
            // Before the list is loaded: afterwards the focus may be elsewhere.
            if (!document.querySelector("dialog[open]")) both.restore(before && !search.isOpen ? list.rowOf(before) ?? firstRow(list.list) : null, search.input);
        }
        if (isNew) await reload();
        if (turn !== turns) return;
        switch (id) {
        case undefined:
            break;
        case "reminders":
            await loadReminders();
            both.show(element("div", {}, element("h2", {}, texts.prospects.reminders),
                element("ul", { class: "rows", "aria-label": texts.prospects.reminders }, [...reminders.values()].map((reminder) => element("li", { class: "item" },
                    rowLink({ kind: "prospect", id: reminder.prospect, title: reminder.name, subtitle: moment(reminder.dueAt) })))),
                reminders.size === 0 && element("p", { class: "muted" }, texts.prospects.noReminders)));
            break;
        case "day":
            open = id;
            await showDay(action);
            break;
        case "camera":
            await openDialogOf(id, later(import("./camera.js")), ({ openCamera }) => openCamera(() => reload().catch(fail)));
            break;
        case "me":
            await openDialogOf(id, later(import("./badge.js")), ({ openBadge }) => openBadge());
            break;
        case "new":
            both.show(prospectForm(null, null, {
                done: async (prospect) => {
                    await reload();
                    go("prospects", prospect.id);
                },
                cancel: () => go("prospects"),
                again: () => show(["new"]),
            }));
            both.element.querySelector(".detail input")?.focus();
            break;
        default:
            open = id;
            await showDetail(id, true, action);
        }
    }

    return {
        search,
        element: both.element,
        show,
        async refresh(changed) {
            if (!changed.has("prospects") && !changed.has("reminders")) return;
            await reload();
            await search.refresh();
            if (open !== null && !both.hasFocus && !both.element.querySelector(".detail form")) await showDetail(open, false);
        },
    };
}
