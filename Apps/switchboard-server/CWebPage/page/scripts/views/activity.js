// The Activity view: activities to continue, and the items of apps.

import { element, fill } from "../elements.js";
import { activityRow, continueActivity, openItem, subtitle } from "../engagement.js";
import { icon } from "../icons.js";
import { isTyping } from "../keys.js";
import { link } from "../links.js";
import { firstRow, enableRowKeys } from "../list-keys.js";
import { announce, fail } from "../messages.js";
import { panes } from "../panes.js";
import { get, getAll, path } from "../requests.js";
import { address, go } from "../routes.js";
import { rowContent, rowLink } from "../rows.js";
import { searchField } from "../search-field.js";
import { selection } from "../selection.js";
import { texts } from "../texts.js";
import { dayOf, moment } from "../times.js";
import { removeUnlessUndone } from "../waiting.js";
import { windowedList } from "../windowed-list.js";

/** The number of activities that are listed at first. */
const firstActivities = 20;

export function activityView() {
    let open = null;
    let activities = [];
    let showsAll = false;
    const leaving = new Set();
    const doing = element("section", { class: "block" });
    const all = windowedList({
        label: texts.activity.all,
        load: (cursor, limit, signal, stored = false) => get(path(["activities"], { cursor, limit }), { signal, stored }),
        row: (result) => activityRow(result),
        isHidden: (result) => leaving.has(`doing/${result.id}`),
        empty: () => [],
    });
    const items = windowedList({
        label: texts.activity.items,
        // Activities are items too, but already listed above.
        load: (cursor, limit, signal, stored = false) => get(path(["index", "items"], { withoutActivities: true, cursor, limit }), { signal, stored }),
        row: (result) => [several.box(result), rowLink(result, { onclick: (event) => several.click(event, result) })],
        isHidden: (result) => leaving.has(`item/${result.id}`),
        empty: () => (doing.childElementCount > 0 ? [] : [element("h2", {}, texts.activity.emptyTitle), element("p", {}, texts.activity.empty)]),
        loaded: (count) => {
            itemsTitle.hidden = count === 0;
            itemsCount.textContent = texts.activity.count(count);
        },
    });
    const itemsCount = element("span", { class: "small" });
    const itemsTitle = element("div", { class: "block-head", hidden: true }, element("h2", {}, texts.activity.items, " ", itemsCount),
        element("button", { type: "button", class: "button plain", onclick: () => several.begin() }, texts.selection.begin));
    const several = selection({
        list: () => items,
        all: async () => (await getAll(["index", "items"], { withoutActivities: true })).filter(({ id }) => !leaving.has(`item/${id}`)),
        actions: [{
            label: texts.activity.delete, picture: "remove", key: "Delete", isDangerous: true,
            act: (results) => erase(texts.activity.count(results.length), results.map((result) => ({ key: `item/${result.id}`, name: result.title, parts: ["index", "items", result.id] }))),
        }],
    });
    const home = element("div", {}, doing, element("section", { class: "block" }, itemsTitle, items.element), several.bar);
    items.list.addEventListener("keydown", (event) => {
        const result = items.results.find(({ id }) => id === event.target.closest("li")?.dataset.id);
        if (result && !isTyping(event) && !(event.target.matches("input") && event.key === " ") && several.key(event, result)) event.preventDefault();
    });

    const search = searchField({
        label: texts.activity.label, placeholder: texts.activity.placeholder,
        search: (query, signal) => get(path(["index", "search"], { q: query, limit: 30 }), { signal }),
        total: (query, signal) => get(path(["index", "search"], { q: query, limit: 1, cursor: 0 }), { signal }),
        option: (result) => rowContent(result),
        choose: (result, query) => openItem(result, query).catch(fail),
        changed: (query, isOpen) => {
            home.hidden = isOpen;
            if (!isOpen && items.results.length > 0) items.draw();
        },
        below: () => firstRow(home),
    });
    enableRowKeys(home, () => search.input);
    const both = panes([search.element, home], "activity");

    async function reload() {
        if (showsAll) {
            if (!all.element.isConnected) fill(doing, element("h2", {}, texts.activity.all), showButton(texts.activity.showFewer, false), all.element);
            await all.reload();
            showsAll = all.results.length > 0;
        }
        if (!showsAll) await reloadFirst();
        await items.reload();
        announce("");
    }

    async function reloadFirst() {
        const answer = await get(path(["activities"], { limit: firstActivities }));
        activities = answer.results.filter((result) => !leaving.has(`doing/${result.id}`));
        const current = activities.filter((result) => result.activity?.isCurrent);
        const before = activities.filter((result) => !result.activity?.isCurrent);
        const focused = doing.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
        fill(doing, list(texts.activity.now, current), list(texts.activity.before, before),
            answer.total > firstActivities && showButton(texts.activity.showAll(answer.total), true));
        if (focused !== null) doing.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
    }

    /** Returns the button that lists all activities, or only the first ones. */
    function showButton(text, value) {
        return element("button", {
            type: "button", class: "button plain", onclick: () => {
                showsAll = value;
                reload().then(() => doing.querySelector("button")?.focus({ preventScroll: true })).catch(fail);
            },
        }, text);
    }

    /** Returns the link of a row, `doing/ID` or `item/ID`; null if it is not near the screen. */
    function rowOf(place) {
        const [kind, id] = [place.slice(0, place.indexOf("/")), place.slice(place.indexOf("/") + 1)];
        if (kind === "item") return items.rowOf(id);
        return showsAll ? all.rowOf(id) : doing.querySelector(`a[href="${CSS.escape(address("activity", "doing", id))}"]`);
    }

    function list(title, results) {
        return results.length > 0 && [element("h2", {}, title),
            element("ul", { class: "rows" }, results.map((result) => element("li", { class: "item" }, activityRow(result))))];
    }

    function showDoing(result) {
        const activity = result.activity;
        both.show(element("article", { class: "thing" },
            element("h2", { dir: "auto" }, result.title),
            element("p", { class: "muted", dir: "auto" }, subtitle(result)),
            element("p", { class: "muted" }, activity.endedAt ? texts.activity.ended(moment(activity.endedAt)) : texts.activity.began(moment(activity.beganAt))),
            element("div", { class: "actions" },
                element("button", { type: "button", class: "primary", onclick: () => continueActivity(result).catch(fail) }, texts.activity.go),
                eraseButton(`doing/${result.id}`, result.title, ["activities", result.id])),
            activity.webpageURL ? element("p", {}, link(activity.webpageURL)) : element("p", { class: "muted" }, texts.activity.noPlace)));
    }

    function showItem(result) {
        const item = result.item;
        const facts = [
            [texts.activity.fields.domain, item.domain], [texts.activity.fields.contentType, item.contentType],
            [texts.activity.fields.keywords, item.keywords?.join(", ")],
            [texts.activity.fields.url, item.url && link(item.url)],
        ].filter(([, value]) => value);
        both.show(element("article", { class: "thing" },
            element("h2", { dir: "auto" }, item.title || result.id),
            item.contentDescription && element("p", { class: "long", dir: "auto" }, item.contentDescription),
            element("div", { class: "actions" },
                item.url && element("button", { type: "button", class: "primary", onclick: () => openItem(result).catch(fail) }, texts.activity.open),
                eraseButton(`item/${result.id}`, item.title || result.id, ["index", "items", result.id])),
            element("dl", { class: "facts" }, facts.map(([name, value]) => [element("dt", {}, name), element("dd", { dir: "auto" }, value)])),
            element("p", { class: "small muted" }, item.expiresAt ? texts.activity.expires(dayOf(item.expiresAt)) : texts.activity.never)));
    }

    /** Deletes things `[{key, name, parts}]` once it can no longer be undone. */
    function erase(name, things) {
        for (const { key } of things) leaving.add(key);
        reload().catch(fail);
        const stay = () => {
            for (const { key } of things) leaving.delete(key);
            return reload();
        };
        removeUnlessUndone(texts.activity.deleted(name), things.map((thing) => ({ path: path(thing.parts), what: texts.queue.removed(thing.name) })), stay, stay);
    }

    function eraseButton(key, name, parts) {
        return element("button", {
            type: "button", class: "plain danger", onclick: () => {
                go("activity");
                erase(name, [{ key, name, parts }]);
            },
        }, icon("remove"), texts.activity.delete);
    }

    return {
        search,
        element: both.element,
        async show([kind, id], isNew) {
            const before = open;
            open = id === undefined ? null : `${kind}/${id}`;
            const asked = open;
            if (id === undefined) {
                both.empty();
                // Before the list is loaded: afterwards the focus may be elsewhere.
                both.restore(before ? rowOf(before) : null, search.input);
            }
            if (isNew) await reload();
            if (id === undefined || open !== asked) return;
            if (kind === "doing") {
                const known = [...activities, ...all.results].find((result) => result.id === id);
                const { activity } = known ?? await get(path(["activities", id]));
                if (open === `${kind}/${id}`) showDoing(known ?? { id, title: activity.title ?? activity.activityType, subtitle: activity.activityType, activity });
            } else {
                const answer = await get(path(["index", "items", id]));
                if (open === `${kind}/${id}`) showItem({ kind: "item", id, ...answer, item: answer.item ?? answer });
            }
        },
        async refresh(changed) {
            if (!changed.has("items") && !changed.has("activities")) return;
            await reload();
            await search.refresh();
        },
    };
}
