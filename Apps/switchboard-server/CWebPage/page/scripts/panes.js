// A list and the details of one row: side by side where there is room, one after the other on a phone.

import { element, fill } from "./elements.js";
import { icon } from "./icons.js";
import { hasKeyboard, isTyping } from "./keys.js";
import { go } from "./routes.js";
import { texts } from "./texts.js";

/** Panes with a list; `hint` is shown beside it until a row is chosen. "Back" leads to `home`. */
export function panes(list, hint, ...home) {
    const detail = element("section", { class: "pane detail", "aria-label": texts.details, tabindex: "-1" });
    const whole = element("div", { class: "panes" }, element("div", { class: "pane list" }, list), detail);
    const isWide = () => matchMedia("(min-width: 900px)").matches;
    // Where a list is left for a detail on a phone, it is found again where it was.
    let scrolled = 0;

    function empty() {
        const wasOpen = whole.classList.contains("shows-detail");
        whole.classList.remove("shows-detail");
        fill(detail, element("p", { class: "hint" }, hint));
        if (wasOpen && !isWide()) scrollTo(0, scrolled);
    }

    // Keys of the detail: those that its buttons declare, and Escape to leave it.
    detail.addEventListener("keydown", (event) => {
        if (isTyping(event)) return;
        const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
        const button = [...detail.querySelectorAll("[aria-keyshortcuts]")].find((one) => one.getAttribute("aria-keyshortcuts") === key && !one.hidden);
        if (event.key === "Escape") go(...home);
        else if (button) button.click();
        else return;
        event.preventDefault();
    });
    empty();
    return {
        element: whole, empty,
        /** Shows details. `focuses`: whether the person came here, rather than the content having changed under them. */
        show(content, { focuses = true } = {}) {
            if (!whole.classList.contains("shows-detail")) scrolled = scrollY;
            whole.classList.add("shows-detail");
            const back = element("a", { class: "back button plain", href: "#/" + home.map(encodeURIComponent).join("/") }, icon("back"), texts.back);
            fill(detail, back, content);
            if (!focuses) return;
            detail.focus({ preventScroll: true });
            if (!isWide()) scrollTo(0, 0);
        },
        /** Whether the detail holds the focus. */
        get hasFocus() { return detail.contains(document.activeElement); },
        /** After going back: the focus goes to the row that was open, or the search field where there is a keyboard. */
        restore(row, field) {
            if (row) row.focus({ preventScroll: isWide() });
            else if (hasKeyboard()) field?.focus();
        },
    };
}
