// A list of any length: only the rows near the screen are elements, and only their pages are loaded. All rows have the same height, so
// the length of the scroll bar and the position of every row are known at once. A list that is too long for a browser is drawn shorter:
// large steps of scrolling lead through all rows in proportion, small ones move the rows as far as in any list.

import { element, fill } from "./elements.js";
import { fail } from "./messages.js";
import { whatWasSeen } from "./offline.js";
import { afterSwipe } from "./swipe.js";

const pageSize = 100;
/** The number of rows beyond the screen that are elements, for smooth scrolling and for keyboard navigation. */
const margin = 12;
/** The height of a row in rem. */
const rowHeight = 3.875;
/** The greatest height of a list in pixels. Browsers lay out some 33 million pixels of the screen, of which a telephone has up to four in one. */
const greatestHeight = 8_000_000;
/** A row that is no longer there: the page of rows was shorter than the total, for example without rows whose removal waits. */
const missing = {};

/**
 * Creates a list.
 * - `load(cursor, limit, signal, stored)`: loads a page `{results, total}`, or what was last seen of it; the cursor is a number of rows.
 * - `row(result, item)`: returns the children of a row's `<li>`.
 * - `empty()`: returns the content of an empty list.
 * - `loaded(count)`: called with the number of rows.
 * - `isHidden(result)`: whether to hide a row, for example before it is deleted.
 * - `scrolled(index)`: called with the number of the first row on the screen.
 */
export function windowedList({ label, load, row, empty, loaded = () => {}, isHidden = () => false, scrolled = () => {} }) {
    /** The rows that are loaded, by their position in the list, and the positions of hidden ones. */
    let results = [];
    let hidden = [];
    let total = 0;
    /** The loads that are under way, by the number of their page. */
    let loading = new Map();
    /** The row that gets the focus as soon as it is loaded, `{id, isBox}` or `{number}`, unless something else gets it before. */
    let awaited = null;
    const elements = new Map();
    /** By how many pixels the rows of a shortened list are above their place in the whole one, and where the list began when that was found. */
    let shift = 0;
    let shiftedAt = 0;
    const list = element("ul", { class: "rows", "aria-label": label });
    const none = element("div", { class: "empty" });
    const whole = element("div", { class: "windowed" }, list, none);

    const height = () => rowHeight * parseFloat(getComputedStyle(document.documentElement).fontSize);
    /** The height of the search field, which stays on the screen above the rows. */
    const covered = () => parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
    const count = () => total - hidden.length;
    /** Returns the position in the list of the n-th row that is not hidden, and the reverse. */
    const positionOf = (number) => hidden.reduce((position, other) => (other <= position ? position + 1 : position), number);
    const numberOf = (position) => position - hidden.filter((other) => other < position).length;

    const wholeHeight = () => count() * height();
    /** Returns the place on the screen of the whole list's beginning. */
    function wholeTop() {
        const { top } = list.getBoundingClientRect();
        const excess = Math.max(0, wholeHeight() - greatestHeight);
        const share = Math.min(Math.max(0, -top / (greatestHeight - innerHeight)), 1);
        const isStep = Math.abs(top - shiftedAt) <= innerHeight && share > 0 && share < 1;
        shift = isStep ? Math.min(shift, excess) : share * excess;
        shiftedAt = top;
        return top - shift;
    }

    /** Returns the numbers of the rows from the first to after the last on the screen. */
    function seen() {
        const first = Math.floor(-wholeTop() / height());
        return { first: Math.max(0, first), end: Math.min(count(), first + Math.ceil(innerHeight / height()) + 1) };
    }

    /** Makes the elements of the rows near the screen, and loads what they lack. */
    function render() {
        if (list.offsetParent === null) return;
        const shiftBefore = shift;
        const { first, end } = seen();
        scrolled(Math.max(0, Math.round((covered() - wholeTop()) / height())));
        const wanted = new Set();
        for (let number = Math.max(0, first - margin); number < Math.min(count(), end + margin); number += 1) wanted.add(number);
        for (const [number, item] of elements) {
            // The focus must not be lost.
            if (wanted.has(number) || (number < count() && item.contains(document.activeElement))) continue;
            item.remove();
            elements.delete(number);
        }
        if (shift !== shiftBefore) for (const [number, item] of elements) setTop(item, number);
        for (const number of wanted) if (!elements.has(number)) elements.set(number, itemOf(number));
        let before = null;
        for (const number of [...elements.keys()].sort((one, other) => one - other)) {
            const item = elements.get(number);
            if (item.parentNode !== list || item.previousElementSibling !== before) list.insertBefore(item, before ? before.nextSibling : list.firstChild);
            before = item;
        }
        for (const number of wanted) {
            const page = Math.floor(positionOf(number) / pageSize);
            if (results[positionOf(number)] === undefined && !loading.has(page)) loadPage(page).catch(fail);
        }
    }

    function setTop(item, number) {
        item.style.top = shift === 0 ? `${number * rowHeight}rem` : `${number * height() - shift}px`;
    }

    function itemOf(number) {
        const result = results[positionOf(number)];
        const item = element("li", {
            class: result ? "item" : "item pending", "data-id": result?.id, "aria-setsize": count(), "aria-posinset": number + 1, "aria-busy": result ? null : "true",
        });
        setTop(item, number);
        if (result) item.append(...[row(result, item)].flat().filter(Boolean));
        return item;
    }

    /** Draws all rows again. A swipe would lose its row, so they are drawn after it. */
    function draw() {
        afterSwipe(redraw);
    }

    function redraw() {
        const focused = list.contains(document.activeElement) ? document.activeElement : null;
        if (focused) awaited ??= { id: focused.closest("li").dataset.id, isBox: focused.matches("input") };
        hidden = [];
        results.forEach((result, position) => { if (result === missing || isHidden(result)) hidden.push(position); });
        list.style.height = `min(${count() * rowHeight}rem, ${greatestHeight}px)`;
        list.hidden = count() === 0;
        fill(none, count() === 0 ? empty() : []);
        for (const item of elements.values()) item.remove();
        elements.clear();
        render();
        focusAwaited();
        loaded(count());
    }

    function focusAwaited() {
        if (!awaited) return;
        const row = awaited.id === undefined ? elements.get(awaited.number)?.querySelector("a.row") : rowOf(awaited.id, awaited.isBox);
        row?.focus({ preventScroll: true });
    }

    /** Puts the rows of a page in their places. */
    function place(rows, page, answer) {
        total = answer.total;
        for (let index = 0; index < Math.min(pageSize, total - page * pageSize); index += 1) {
            rows[page * pageSize + index] = answer.results[index] ?? missing;
        }
    }

    /** Loads a page. Rows of earlier pages that were loaded before a change are loaded again when they are seen. */
    function loadPage(page) {
        const loads = loading;
        const promise = load(String(page * pageSize), pageSize, null).then((answer) => {
            if (loads !== loading) return;
            place(results, page, answer);
            results.length = Math.min(results.length, total);
            draw();
        }).finally(() => loads.delete(page));
        loads.set(page, promise);
        return promise;
    }

    /** Loads the rows of another filter or order from the first on. */
    async function restart() {
        results = [];
        hidden = [];
        total = 0;
        await reload();
        if (list.getBoundingClientRect().top < 0) scrollTo(0, 0);
    }

    /** Returns the number of the focused row, or undefined. */
    const focusedNumber = () => [...elements].find(([, item]) => item.contains(document.activeElement))?.[0];
    const seenOrFirst = () => (list.offsetParent === null ? { first: 0, end: 1 } : seen());

    /** Returns the pages of the rows on the screen and of the focused row. */
    function neededPages() {
        const { first, end } = seenOrFirst();
        return new Set([first, Math.max(first, end - 1), focusedNumber() ?? first]
            .map((number) => Math.floor(positionOf(Math.max(0, Math.min(number, count() - 1))) / pageSize)));
    }

    /** Loads the rows on the screen again, and keeps their place if rows were added or removed above. */
    async function reload() {
        const loads = new Map();
        loading = loads;
        const answers = new Map();
        if (total === 0) {
            // The request does not wait for the stored response.
            const first = load("0", pageSize, null);
            first.catch(() => {});
            await whatWasSeen(async () => {
                const answer = await load("0", pageSize, null, true);
                if (total > 0 || loads !== loading) return;
                place(results, 0, answer);
                draw();
            });
            answers.set(0, await first);
            if (loads !== loading) return;
        }
        const lacking = () => [...neededPages()].filter((page) => !answers.has(page));
        // Someone may scroll meanwhile.
        for (let pages = lacking(); pages.length > 0; pages = lacking()) {
            await Promise.all(pages.map(async (page) => answers.set(page, await load(String(page * pageSize), pageSize, null))));
            if (loads !== loading) return;
        }
        const { first } = seenOrFirst();
        const anchor = results[positionOf(first)]?.id;
        const fresh = [];
        for (const [page, answer] of answers) place(fresh, page, answer);
        results = fresh;
        draw();
        const moved = anchor === undefined || first === 0 ? -1 : fresh.findIndex((result) => result?.id === anchor);
        if (moved < 0 || numberOf(moved) === first) return;
        scrollBy(0, (numberOf(moved) - first) * height());
        shiftedAt = list.getBoundingClientRect().top;
    }

    /** Returns the link of a row, or its checkbox; null if the row is not near the screen. */
    function rowOf(id, box = false) {
        render();
        return list.querySelector(`li[data-id="${CSS.escape(id)}"] ${box ? "input" : "a.row"}`);
    }

    /** Scrolls to the n-th row. */
    function scrollToRow(number) {
        const top = list.getBoundingClientRect().top + scrollY;
        const wanted = number * height() - covered();
        const share = Math.min(Math.max(0, wanted / (wholeHeight() - innerHeight)), 1);
        shift = share * Math.max(0, wholeHeight() - greatestHeight);
        // The first row brings back what is above the list, if it has room.
        scrollTo(0, number === 0 && top < innerHeight / 2 ? 0 : top + wanted - shift);
        shiftedAt = list.getBoundingClientRect().top;
        for (const [other, item] of elements) setTop(item, other);
        render();
    }

    /** Focuses the n-th row, as soon as it is loaded. */
    function focusRow(number) {
        elements.get(number)?.scrollIntoView({ block: "nearest" });
        awaited = { number };
        focusAwaited();
    }

    let frame = 0;
    const renderSoon = () => {
        cancelAnimationFrame(frame);
        frame = requestAnimationFrame(render);
    };
    addEventListener("scroll", renderSoon, { passive: true });
    addEventListener("resize", renderSoon);
    list.addEventListener("keydown", (event) => {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        const jump = { Home: 0, End: count() - 1 }[event.key];
        const step = event.target.closest("a.row") ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
        const here = awaited?.number ?? focusedNumber();
        const number = jump ?? here + step;
        // Up from the first row leaves the list.
        if (!(number >= 0 && number < count())) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        // Keys may be faster than the rows that follow scrolling.
        if (jump === undefined) render();
        if (!elements.has(number) || jump !== undefined) scrollToRow(number);
        focusRow(number);
    });
    addEventListener("focusin", () => { awaited = null; });

    return { element: whole, list, reload, restart, draw, rowOf, scrollToRow, get results() { return results.filter((result) => result && result !== missing); } };
}
