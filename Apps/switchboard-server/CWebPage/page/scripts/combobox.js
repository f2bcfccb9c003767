// A combobox with a listbox (WAI-ARIA Authoring Practices), for the search fields of the page and the airport picker of other sites.
// Each letter starts a request. Earlier ones go on until a later one is answered, so that results appear on a slow line too while
// someone types.
// The focus stays in the field: Down and Up select an option, Enter opens it, Escape closes the list, then clears the field.

import { element, fill, freshId } from "./elements.js";
import { icon } from "./icons.js";

/** The maximum number of requests under way. */
const maximumRequests = 3;

/**
 * Creates a combobox.
 * - `words`: the texts `clear`, `results`, `searching`, `nothing(query)` and `count(count, isFinal)`.
 * - `announce(text)`: shows a status such as the number of results.
 * - `fail(error)`, `clearError()`: show an error of a search, and clear it.
 * - `label`, `placeholder`: its accessible name and placeholder.
 * - `search(query, signal)`: returns `{results, final}`.
 * - `total(query, signal)`: returns the number of all results of a search that has more, as `{total}` or `{totalExceeds}`; it is asked when
 *   someone stops typing.
 * - `preview(query)`: returns results that are known without a request, to be shown until those of the server arrive.
 * - `option(result)`: returns the content of an option.
 * - `choose(result, query)`: opens a result.
 * - `changed(query, isOpen)`: called when the list opens or closes, so that the view can hide or show its rows.
 * - `found(results)`: called with the results, or with none when the list closes.
 * - `below()`: returns the element to focus below an empty field.
 * - `tools`: elements between the field and its results.
 */
export function combobox({
    words, announce, fail, clearError, label, placeholder, search, total = null, preview = () => [], option, choose, changed = () => {}, found = () => {},
    below = () => null, tools = [],
}) {
    const listId = freshId("results");
    /** The searches under way, oldest first: `{query, promise, controller}`. */
    let running = [];
    let results = [];
    let active = -1;
    let answered = null;
    // Announces slow searches.
    let slowTimer = null;
    // Counts the results of the last search.
    let counting = null;

    const input = element("input", {
        type: "text", role: "combobox", class: "search-input", "aria-label": label, placeholder, autocomplete: "off",
        autocapitalize: "off", autocorrect: "off", spellcheck: "false", enterkeyhint: "search", "aria-autocomplete": "list",
        "aria-expanded": "false", "aria-controls": listId, dir: "auto",
    });
    const clear = element("button", {
        type: "button", class: "plain round search-clear", "aria-label": words.clear, hidden: true,
        onclick: () => { set(""); input.focus(); },
    }, icon("close"));
    const list = element("ul", { role: "listbox", id: listId, class: "options", "aria-label": words.results, hidden: true });
    const nothing = element("p", { class: "nothing", hidden: true });
    const field = element("div", { class: "search" },
        element("div", { class: "search-box" }, icon("find"), input, clear), tools, list, nothing);

    const isOpen = () => input.getAttribute("aria-expanded") === "true";

    function mark(index) {
        const options = list.children;
        if (active >= 0) options[active]?.setAttribute("aria-selected", "false");
        active = index;
        const chosen = options[index];
        if (!chosen) {
            input.removeAttribute("aria-activedescendant");
            return;
        }
        chosen.setAttribute("aria-selected", "true");
        input.setAttribute("aria-activedescendant", chosen.id);
        chosen.scrollIntoView({ block: "nearest" });
    }

    function open() {
        const hasRows = results.length > 0;
        input.setAttribute("aria-expanded", String(hasRows));
        list.hidden = !hasRows;
        nothing.hidden = hasRows;
        nothing.textContent = hasRows ? "" : words.nothing(input.value.trim());
        changed(input.value.trim(), true);
        found(results);
    }

    function close() {
        clearTimeout(slowTimer);
        counting?.abort();
        input.setAttribute("aria-expanded", "false");
        list.hidden = true;
        nothing.hidden = true;
        mark(-1);
        changed(input.value.trim(), false);
        found([]);
    }

    function show(answer) {
        // A chosen option stays chosen if it is still there.
        const chosen = results[active]?.id;
        results = answer.results;
        active = -1;
        input.removeAttribute("aria-activedescendant");
        fill(list, results.map((result, index) => element("li", {
            role: "option", id: `${listId}-${index}`, class: "option", "aria-selected": "false",
            // Keep the focus in the field.
            onpointerdown: (event) => { if (event.pointerType === "mouse") event.preventDefault(); },
            onclick: () => pick(index),
        }, option(result))));
        open();
        const again = results.findIndex((result) => result.id === chosen);
        if (chosen !== undefined && again >= 0) mark(again);
        announce(words.count(results.length, answer.final !== false, answer));
        counting?.abort();
        if (total !== null && answer.totalExceeds !== undefined) count(answered, counting = new AbortController());
    }

    /** Announces the number of all results when someone stops typing. */
    function count(query, { signal }) {
        const timer = setTimeout(async () => {
            try {
                const all = await total(query, signal);
                if (!signal.aborted) announce(words.count(results.length, true, all));
            } catch {
                // The results are there, without their number.
            }
        }, 600);
        signal.addEventListener("abort", () => clearTimeout(timer));
    }

    function pick(index) {
        const result = results[index];
        if (result) choose(result, input.value.trim());
    }

    function stop() {
        for (const one of running) one.controller.abort();
        running = [];
    }

    /** Ends all searches and closes the list. */
    function forget() {
        stop();
        clearTimeout(slowTimer);
        answered = null;
        results = [];
        fill(list);
        announce("");
        clearError();
        close();
    }

    function ask() {
        const query = input.value.trim();
        counting?.abort();
        clear.hidden = input.value === "";
        if (query === "") {
            forget();
            return null;
        }
        if (query === answered) {
            // Queries that were typed in between must not be answered after it.
            stop();
            clearTimeout(slowTimer);
            open();
            return null;
        }
        const known = preview(query);
        if (known.length > 0) show({ results: known, final: false });
        const last = running.at(-1);
        if (last?.query === query) return last.promise;
        const mine = { query, controller: new AbortController() };
        running.push(mine);
        if (running.length > maximumRequests) running.shift().controller.abort();
        mine.promise = run(mine);
        return mine.promise;
    }

    /** Shows the results of a search, unless a later one has been answered. */
    async function run(mine) {
        clearTimeout(slowTimer);
        slowTimer = setTimeout(() => announce(words.searching), 500);
        try {
            const answer = await search(mine.query, mine.controller.signal);
            if (!running.includes(mine)) return;
            for (const older of running.splice(0, running.indexOf(mine) + 1)) {
                if (older !== mine) older.controller.abort();
            }
            clearTimeout(slowTimer);
            clearError();
            answered = mine.query;
            // Results for less than is typed do not replace better ones of the preview.
            const typed = input.value.trim();
            if (mine.query === typed || preview(typed).length === 0) show(answer);
        } catch (error) {
            if (!running.includes(mine)) return;
            running = running.filter((one) => one !== mine);
            clearTimeout(slowTimer);
            announce("");
            answered = null;
            // The results of another query must not look like those of this one.
            if (preview(input.value.trim()).length === 0) {
                results = [];
                fill(list);
                close();
            }
            fail(error);
        }
    }

    function set(text) {
        input.value = text;
        return ask();
    }

    input.addEventListener("input", ask);
    input.addEventListener("keydown", async (event) => {
        if (event.isComposing) return;
        const last = results.length - 1;
        switch (event.key) {
        case "ArrowDown":
            event.preventDefault();
            if (input.value.trim() === "") below()?.focus();
            else if (!isOpen()) { await ask(); if (isOpen()) mark(0); } else mark(active >= last ? 0 : active + 1);
            break;
        case "ArrowUp":
            event.preventDefault();
            if (isOpen()) mark(active <= 0 ? last : active - 1);
            break;
        case "PageDown":
            if (isOpen()) { event.preventDefault(); mark(Math.min(last, active + 8)); }
            break;
        case "PageUp":
            if (isOpen()) { event.preventDefault(); mark(Math.max(0, active - 8)); }
            break;
        case "Enter":
            event.preventDefault();
            // Wait for the results of the complete query.
            if (input.value.trim() !== answered) await ask();
            if (isOpen()) pick(Math.max(0, active));
            break;
        case "Escape":
            if (isOpen() || !nothing.hidden) { event.preventDefault(); stop(); close(); } else if (input.value !== "") {
                event.preventDefault();
                set("");
            }
            break;
        default:
        }
    });

    return {
        element: field, input, set,
        /** Shows a text without searching for it, such as the name of what was chosen. */
        settle(text) {
            input.value = text;
            clear.hidden = text === "";
            forget();
        },
        /** Closes the list. */
        close() {
            stop();
            close();
        },
        /** Repeats the search after a change. */
        refresh: () => {
            const isAsking = running.length > 0;
            answered = null;
            stop();
            return isAsking || isOpen() || !nothing.hidden ? ask() : undefined;
        },
        get query() { return input.value.trim(); },
        get isOpen() { return isOpen() || !nothing.hidden; },
    };
}
