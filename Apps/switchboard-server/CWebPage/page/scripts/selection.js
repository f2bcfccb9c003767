// Selecting several rows of a list, and the bar with the actions on them.

import { element, fill } from "./elements.js";
import { icon } from "./icons.js";
import { announce, fail } from "./messages.js";
import { texts } from "./texts.js";

/**
 * Creates the selection of a windowed list.
 * - `list()`: returns the list.
 * - `all()`: returns all results of the list, also those that are not loaded.
 * - `actions`: `[{label, picture, key, act(results)}]`. The selection ends with an action; one that returns false keeps it.
 */
export function selection({ list, all, actions }) {
    const chosen = new Map();
    let isOn = false;
    const count = element("b", {});
    const act = (action) => async () => {
        if (chosen.size === 0) return;
        try {
            if (await action.act([...chosen.values()]) !== false) end();
        } catch (error) {
            fail(error);
        }
    };
    const buttons = actions.map((action) => element("button", {
        type: "button", class: action.isDangerous ? "plain danger" : "plain", "aria-keyshortcuts": action.key, onclick: act(action),
    }, icon(action.picture), action.label));
    const bar = element("div", { class: "bulk", role: "toolbar", "aria-label": texts.selection.actions, hidden: true },
        element("div", { class: "bulk-head" }, count,
            element("button", { type: "button", class: "plain", onclick: () => chooseAll().catch(fail) }, texts.selection.all),
            element("button", { type: "button", class: "plain round", "aria-label": texts.selection.end, onclick: () => end() }, icon("close"))),
        element("div", { class: "bulk-actions" }, buttons));

    function show() {
        fill(count, texts.selection.count(chosen.size));
        announce(texts.selection.count(chosen.size));
        for (const button of buttons) button.disabled = chosen.size === 0;
        for (const item of list().list.querySelectorAll("li[data-id]")) {
            const box = item.querySelector(".select");
            if (box) box.checked = chosen.has(item.dataset.id);
            item.classList.toggle("selected", chosen.has(item.dataset.id));
        }
    }

    function begin() {
        isOn = true;
        bar.hidden = false;
        list().list.classList.add("selecting");
        list().draw();
        show();
    }

    function end() {
        if (!isOn) return;
        const hadFocus = bar.contains(document.activeElement);
        isOn = false;
        chosen.clear();
        bar.hidden = true;
        list().list.classList.remove("selecting");
        list().draw();
        if (hadFocus) list().list.querySelector("a.row")?.focus({ preventScroll: true });
    }

    function toggle(result) {
        if (!isOn) begin();
        if (!chosen.delete(result.id)) chosen.set(result.id, result);
        show();
    }

    async function chooseAll() {
        for (const result of await all()) chosen.set(result.id, result);
        show();
    }

    return {
        bar, begin, end,
        get isOn() { return isOn; },
        /** Returns the box of a row while several are selected, or null. */
        box(result, nameId) {
            return isOn ? element("input", {
                type: "checkbox", class: "tick select", "aria-label": texts.selection.select, "aria-describedby": nameId, checked: chosen.has(result.id),
                onchange: () => toggle(result),
            }) : null;
        },
        /** Selects a row by a click while several are selected. */
        click(event, result) {
            if (!isOn || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            toggle(result);
        },
        /** Handles a key on a row. Returns whether it was one of the selection. */
        key({ key }, result) {
            const action = isOn && chosen.size > 0 && actions.find((one) => one.key?.toLowerCase() === key.toLowerCase());
            if (key === "x" || (isOn && key === " ")) toggle(result);
            else if (isOn && key === "Escape") end();
            else if (action) act(action)();
            else return false;
            return true;
        },
    };
}
