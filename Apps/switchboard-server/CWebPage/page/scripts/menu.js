// Menus: a button that shows further actions, beside the one that is meant most often.

import { element, freshId } from "./elements.js";
import { icon } from "./icons.js";

/** Creates a menu with buttons and links, falsy ones of which are left out. A choice, Escape and a press elsewhere close it. */
export function menu(label, items) {
    const id = freshId("menu");
    const list = element("div", { class: "menu-items", id, hidden: true }, items);
    const button = element("button", {
        type: "button", class: "button", "aria-expanded": "false", "aria-controls": id, onclick: () => toggle(list.hidden),
    }, icon("more"), label);
    const whole = element("div", { class: "menu" }, button, list);
    const outside = ({ target }) => { if (!whole.contains(target)) toggle(false); };

    function toggle(opens) {
        if (opens === !list.hidden) return;
        const hadFocus = list.contains(document.activeElement);
        list.hidden = !opens;
        button.setAttribute("aria-expanded", String(opens));
        for (const type of ["pointerdown", "focusin"]) (opens ? document.addEventListener : document.removeEventListener).call(document, type, outside);
        if (opens) entries()[0]?.focus();
        else if (hadFocus) button.focus();
    }

    const entries = () => [...list.querySelectorAll("button, a, input")];
    // Before the action, which may move the focus or restore it later.
    list.addEventListener("click", () => toggle(false), true);
    whole.addEventListener("keydown", (event) => {
        if (list.hidden) return;
        const all = entries();
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (event.key === "Escape") toggle(false);
        else if (step) all[(all.indexOf(document.activeElement) + step + all.length) % all.length]?.focus();
        else return;
        event.preventDefault();
        event.stopPropagation();
    });
    return whole;
}
