// A list and the details of a row: side by side on wide screens, one at a time on phones.

import { element, fill } from "./elements.js";
import { icon } from "./icons.js";
import { hasKeyboard, isTyping } from "./keys.js";
import { backAddress } from "./routes.js";
import { texts } from "./texts.js";
import { nameDetail } from "./title.js";
import { upcomingColumn } from "./upcoming.js";

const labelOf = (one) => `${one.getAttribute("aria-label")} ${one.getAttribute("aria-description")} ${one.textContent}`;

/** Creates panes with a list. What comes up is shown until a row is selected; Back leads to `home`. */
export function panes(list, ...home) {
    const detail = element("section", { class: "pane detail", "aria-label": texts.details, tabindex: "-1" });
    const whole = element("div", { class: "panes" }, element("div", { class: "pane list" }, list), detail, upcomingColumn());
    const isWide = () => matchMedia("(min-width: 900px)").matches;
    // The scroll position of the list, restored on phones when the detail is left.
    let scrolled = 0;

    function empty() {
        const wasOpen = whole.classList.contains("shows-detail");
        whole.classList.remove("shows-detail");
        nameDetail("");
        fill(detail);
        if (wasOpen && !isWide()) scrollTo(0, scrolled);
    }

    // The shortcuts of the detail's buttons, and Escape.
    detail.addEventListener("keydown", (event) => {
        if (isTyping(event)) return;
        // Space presses the focused button.
        const key = event.key === " " ? event.target === detail && "Space" : event.key.length === 1 ? event.key.toUpperCase() : event.key;
        const button = [...detail.querySelectorAll("[aria-keyshortcuts]")].find((one) => one.getAttribute("aria-keyshortcuts") === key && !one.hidden);
        if (event.key === "Escape") location.hash = backAddress(...home);
        else if (button) button.click();
        else return;
        event.preventDefault();
    });
    empty();
    return {
        element: whole, empty,
        /** Shows a detail. `focuses` is false if the content was only refreshed. */
        show(content, { focuses = true } = {}) {
            if (!whole.classList.contains("shows-detail")) scrolled = scrollY;
            whole.classList.add("shows-detail");
            const back = element("a", { class: "back button plain", href: backAddress(...home) }, icon("back"), texts.back);
            const focused = detail.contains(document.activeElement) ? document.activeElement : null;
            fill(detail, back, content);
            // Who has pressed a button goes on there.
            if (!focuses && focused) ([...detail.querySelectorAll(focused.tagName)].find((one) => labelOf(one) === labelOf(focused)) ?? detail).focus({ preventScroll: true });
            nameDetail(detail.querySelector("h2")?.textContent ?? "");
            if (!focuses) return;
            detail.focus({ preventScroll: true });
            if (!isWide()) scrollTo(0, 0);
        },
        /** Shows that a detail is being loaded, so that nothing of an earlier one is taken for it. */
        await() {
            if (whole.classList.contains("shows-detail")) this.show([], { focuses: false });
        },
        /** True if the detail contains the focus. */
        get hasFocus() { return detail.contains(document.activeElement); },
        /** Restores the focus after going back: to the previous row, or to the search field if there is a keyboard. */
        restore(row, field) {
            if (row) {
                row.focus({ preventScroll: true });
                const { top, bottom } = row.getBoundingClientRect();
                if (!isWide() && (top < 0 || bottom > innerHeight)) row.scrollIntoView({ block: "nearest" });
            } else if (hasKeyboard()) field?.focus();
        },
    };
}
