// Global keyboard shortcuts. Single letters are ignored while typing.

import { later } from "./later.js";
import { fail, undoLast } from "./messages.js";
import { go } from "./routes.js";

/** Returns whether a key event belongs to a text field or dialog. */
export function isTyping(event) {
    const target = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
    if (document.querySelector("dialog[open]")) return true;
    return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
        && target.type !== "checkbox");
}

/** Focuses the search field of the current view. */
export function focusSearch() {
    const field = document.querySelector(".view .search-input");
    field?.focus();
    field?.select();
    return field !== null;
}

/** Returns whether there is a physical keyboard, so that focusing a field opens no virtual one. */
export function hasKeyboard() {
    return matchMedia("(hover: hover) and (pointer: fine)").matches;
}

/** Opens the palette of commands. */
export function openCommands(views) {
    later(import("./palette.js")).then(({ openPalette }) => openPalette(views)).catch(fail);
}

export function globalKeys(views) {
    document.addEventListener("keydown", (event) => {
        const number = /^Digit([1-9])$/.exec(event.code)?.[1];
        if (event.altKey && !event.ctrlKey && !event.metaKey && number && views[number - 1] && !document.querySelector("dialog[open]")) {
            event.preventDefault();
            go(views[number - 1]);
            return;
        }
        if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && !document.querySelector("dialog[open]")) {
            event.preventDefault();
            openCommands(views);
            return;
        }
        // The key that leads to the field is no part of a search.
        if (event.key === "/" && event.target.matches?.(".search-input") && event.target.value === "") event.preventDefault();
        if (isTyping(event)) return;
        if (event.key === "/" && focusSearch()) event.preventDefault();
        if (event.key === "u" && undoLast()) event.preventDefault();
    });
}
