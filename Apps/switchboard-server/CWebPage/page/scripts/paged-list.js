// A list that loads its pages as it is scrolled, or by a button.

import { element, fill } from "./elements.js";
import { latestOnly } from "./latest.js";
import { fail } from "./messages.js";
import { whatWasSeen } from "./offline.js";
import { afterSwipe } from "./swipe.js";
import { texts } from "./texts.js";

/**
 * Creates a list.
 * - `load(cursor, limit, signal, stored)`: loads a page `{results, nextCursor}`, or what was last seen of it.
 * - `row(result)`: returns the children of a row's `<li>`.
 * - `empty()`: returns the content of an empty list.
 * - `loaded(count, hasMore)`: called with the number of rows.
 * - `isHidden(result)`: whether to hide a row, for example before it is deleted.
 */
export function pagedList({ label, load, row, empty, loaded = () => {}, isHidden = () => false }) {
    const run = latestOnly();
    let results = [];
    let cursor = null;
    let isLoading = false;
    const list = element("ul", { class: "rows", "aria-label": label });
    const none = element("div", { class: "empty" });
    const more = element("button", { type: "button", class: "more", hidden: true, onclick: () => next() }, texts.more);
    const whole = element("div", { class: "paged" }, list, more, none);
    new IntersectionObserver((entries) => {
        if (entries.some((entry) => entry.isIntersecting)) next();
    }, { rootMargin: "400px" }).observe(more);

    function item(result) {
        const made = element("li", { class: "item", "data-id": result.id });
        made.append(...[row(result, made)].flat().filter(Boolean));
        return made;
    }

    /** Draws the rows. A swipe would lose its row, so they are drawn after it. */
    function draw() {
        afterSwipe(redraw);
    }

    function redraw() {
        const focused = list.contains(document.activeElement) ? document.activeElement : null;
        const id = focused?.closest("li")?.dataset.id;
        const wasBox = focused?.matches("input");
        const seen = results.filter((result) => !isHidden(result));
        fill(list, seen.map(item));
        list.hidden = seen.length === 0;
        fill(none, seen.length === 0 ? empty() : []);
        more.hidden = cursor === null;
        if (id !== undefined) rowOf(id, wasBox)?.focus();
        loaded(seen.length, cursor !== null);
        goOn();
    }

    function rowOf(id, box = false) {
        const found = list.querySelector(`li[data-id="${CSS.escape(id)}"]`);
        return found?.querySelector(box ? "input" : "a.row") ?? null;
    }

    /** Reloads the rows that were loaded, so that the list keeps its place. */
    async function reload() {
        if (results.length === 0) {
            await whatWasSeen(async () => {
                const answer = await load(null, 50, null, true);
                if (results.length > 0) return;
                ({ results } = answer);
                draw();
            });
        }
        const wanted = Math.max(50, results.length);
        const answer = await run(async (signal) => {
            let whole = await load(null, Math.min(100, wanted), signal);
            while (whole.nextCursor && whole.results.length < wanted) {
                const part = await load(whole.nextCursor, 100, signal);
                whole = { results: whole.results.concat(part.results), nextCursor: part.nextCursor };
            }
            return whole;
        });
        if (answer === null) return;
        results = answer.results;
        cursor = answer.nextCursor ?? null;
        draw();
    }

    async function next() {
        if (cursor === null || isLoading) return;
        isLoading = true;
        try {
            const answer = await run((signal) => load(cursor, 50, signal));
            if (answer === null) return;
            results = results.concat(answer.results);
            cursor = answer.nextCursor ?? null;
            const seen = answer.results.filter((result) => !isHidden(result));
            list.append(...seen.map(item));
            more.hidden = cursor === null;
            loaded(list.children.length, cursor !== null);
        } catch (error) {
            more.hidden = true;
            fail(error);
        } finally {
            isLoading = false;
        }
        goOn();
    }

    /** Loads more if the rows did not push the button out of sight: the observer reports only changes. */
    function goOn() {
        if (more.offsetParent !== null && more.getBoundingClientRect().top < innerHeight + 400) next();
    }

    return { element: whole, list, reload, draw, rowOf, get results() { return results; } };
}
