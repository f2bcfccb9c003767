// The palette of commands (Ctrl-K): every view and action by its name, with its key, and what Find finds. It is loaded when it is first opened.

import "./main.js"; // for the bundle: what both share stays in the script of the page
import { combobox } from "./combobox.js";
import { openDialog } from "./dialogs.js";
import { element } from "./elements.js";
import { recordChoice } from "./engagement.js";
import { firstRow, enableRowKeys } from "./list-keys.js";
import { clearError, fail, undoLast } from "./messages.js";
import { get, path } from "./requests.js";
import { address } from "./routes.js";
import { place, rowContent } from "./rows.js";
import { may } from "./session.js";
import { texts } from "./texts.js";

const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Returns the commands that the session may use: those of the open detail first. */
function commands(views) {
    const at = (...parts) => () => { location.hash = address(...parts); };
    const ofDetail = [...document.querySelectorAll(".view .detail [aria-keyshortcuts]")].filter((button) => !button.hidden && button.tagName !== "INPUT")
        .map((button) => ({ name: texts.palette.of(button.textContent, document.querySelector(".detail h2")?.textContent ?? ""), key: button.getAttribute("aria-keyshortcuts"), act: () => button.click() }));
    const of = (domain, use, ...made) => (may(use, domain) ? made : []);
    return [
        ...ofDetail,
        ...of("contacts", "write", { name: texts.contacts.add, act: at("contacts", "new") }),
        ...of("contacts", "read", { name: texts.palette.duplicates, act: at("contacts", "duplicates") }),
        ...of("prospects", "write", { name: texts.prospects.add, act: at("prospects", "new") }, { name: texts.prospects.camera, act: at("prospects", "camera") }),
        ...of("prospects", "read", { name: texts.day.title, act: at("prospects", "day") }),
        ...of("me", "read", { name: texts.prospects.me, act: at("prospects", "me") }),
        ...of("reminders", "read", { name: texts.prospects.reminders, act: at("prospects", "reminders") }),
        { name: texts.undo, key: "U", act: undoLast },
        ...views.map((view, index) => ({ name: texts.palette.go(texts.views[view]), key: `Alt ${index + 1}`, act: at(view) })),
    ];
}

/** Opens the palette. */
export async function openPalette(views) {
    const all = commands(views).map((command, index) => ({ ...command, kind: "command", id: `command ${index}` }));
    const chosen = await openDialog(texts.palette.title, (close) => {
        const content = (command) => [element("span", { class: "row-text" }, command.name), command.key && element("kbd", {}, command.key)];
        const rows = element("ul", { class: "rows palette-rows" }, all.map((command) => element("li", { class: "item" },
            element("button", { type: "button", class: "row", onclick: () => close(command) }, content(command)))));
        const matching = (query) => all.filter(({ name }) => fold(query).split(/\s+/).every((word) => fold(name).split(/\s+/).some((one) => one.startsWith(word))));
        const status = element("p", { role: "status", class: "status" });
        const field = combobox({
            words: texts.search, announce: (text) => { status.textContent = text; }, fail, clearError, label: texts.palette.label, placeholder: texts.palette.placeholder,
            preview: matching,
            async search(query, signal) {
                const found = await get(path(["find"], { q: query, limit: 8 }), { signal }).catch((error) => {
                    if (error.name === "AbortError") throw error;
                    // Commands need no server.
                    return { results: [] };
                });
                return { results: [...matching(query), ...found.results] };
            },
            option: (result) => (result.kind === "command" ? content(result) : rowContent(result, { showsKind: true })),
            choose: (result, query) => {
                if (result.kind !== "command") recordChoice(result, query);
                close(result);
            },
            changed: (query, isOpen) => { rows.hidden = isOpen; },
            below: () => firstRow(rows),
        });
        enableRowKeys(rows, () => field.input);
        field.input.setAttribute("autofocus", "");
        // Escape closes the dialog, not only the list.
        field.input.addEventListener("keydown", (event) => {
            if (event.key !== "Escape") return;
            event.stopImmediatePropagation();
            close();
        }, true);
        return [field.element, status, rows];
    }, { class: "palette" });
    if (chosen === undefined) return;
    if (chosen.kind === "command") chosen.act();
    else location.hash = address(...place(chosen));
}
