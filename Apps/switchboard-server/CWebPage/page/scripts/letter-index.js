// The index of letters beside a long list: a slider that scrolls the list to the names with a letter.

import { element, fill } from "./elements.js";

/** The number of letters that fit beside each other on a small screen. */
const maximumLetters = 30;

/** Creates an index. `label` is its accessible name; `go(number)` scrolls to the n-th row. */
export function letterIndex({ label, go }) {
    /** The letters with the number of their first row: `{letter, first}`. */
    let letters = [];
    /** The indices of the letters that are shown. */
    let shown = [];
    let current = 0;
    /** The first row on the screen. */
    let followed = 0;
    const strip = element("div", { class: "letters", role: "slider", tabindex: "0", "aria-label": label, "aria-orientation": "vertical", hidden: true });

    function mark(index) {
        current = index;
        strip.setAttribute("aria-valuenow", String(index));
        strip.setAttribute("aria-valuetext", letters[index]?.letter ?? "");
        const marked = shown.findLast((one) => one <= index) ?? shown[0];
        [...strip.children].forEach((child, place) => child.classList.toggle("current", shown[place] === marked));
    }

    function choose(index) {
        const wanted = Math.min(letters.length - 1, Math.max(0, index));
        go(letters[wanted].first);
        mark(wanted);
    }

    const chooseAt = (event) => {
        const box = strip.getBoundingClientRect();
        const place = Math.floor((event.clientY - box.top) / box.height * shown.length);
        choose(shown[Math.min(shown.length - 1, Math.max(0, place))]);
    };
    strip.addEventListener("pointerdown", (event) => {
        strip.setPointerCapture(event.pointerId);
        chooseAt(event);
    });
    strip.addEventListener("pointermove", (event) => { if (strip.hasPointerCapture(event.pointerId)) chooseAt(event); });
    strip.addEventListener("keydown", (event) => {
        const target = { ArrowDown: current + 1, ArrowUp: current - 1, ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: letters.length - 1 }[event.key];
        if (target === undefined) return;
        event.preventDefault();
        choose(target);
    });

    return {
        element: strip,
        /** Shows the letters `[{letter, count}]` of a list, if it is long. */
        show(counts) {
            let first = 0;
            letters = counts.map(({ letter, count }) => {
                const entry = { letter, first };
                first += count;
                return entry;
            });
            strip.hidden = first < 60 || letters.length < 2;
            strip.setAttribute("aria-valuemin", "0");
            strip.setAttribute("aria-valuemax", String(Math.max(0, letters.length - 1)));
            // The letters of the most names, in the order of the list.
            shown = counts.map((_, index) => index).sort((one, other) => counts[other].count - counts[one].count)
                .slice(0, maximumLetters).sort((one, other) => one - other);
            fill(strip, shown.map((index) => element("span", { "aria-hidden": "true" }, letters[index].letter)));
            mark(Math.min(current, Math.max(0, letters.length - 1)));
        },
        /** Marks the letter of the n-th row, the first on the screen. At the end of the list, a chosen letter stays marked. */
        follow(number) {
            if (number === followed) return;
            followed = number;
            const index = letters.findLastIndex(({ first }) => first <= number);
            if (index >= 0 && index !== current) mark(index);
        },
    };
}
