// The keypad of a telephone. A search by its digits matches every alphabet.

import { element, freshId } from "./elements.js";
import { icon } from "./icons.js";
import { texts } from "./texts.js";

const keys = [
    ["1", ""], ["2", "abc"], ["3", "def"], ["4", "ghi"], ["5", "jkl"], ["6", "mno"], ["7", "pqrs"], ["8", "tuv"], ["9", "wxyz"],
    ["+", ""], ["0", "␣"],
];

/** Creates a hidden keypad with handlers for its keys. A long press of the erase key calls `clear`. */
export function keypad({ press, erase, clear }) {
    let timer = null;
    let isLong = false;
    const back = element("button", {
        type: "button", class: "key", "aria-label": texts.contacts.erase,
        onclick: () => { if (!isLong) erase(); isLong = false; },
        onpointerdown: () => { isLong = false; timer = setTimeout(() => { isLong = true; clear(); }, 600); },
        onpointerup: () => clearTimeout(timer), onpointerleave: () => clearTimeout(timer), onpointercancel: () => clearTimeout(timer),
    }, icon("erase"));
    return element("div", { class: "keypad", role: "group", "aria-label": texts.contacts.keypadLabel, id: freshId("keypad"), hidden: true },
        keys.map(([digit, letters]) => element("button", {
            type: "button", class: "key", "aria-label": letters === "" || digit === "0" ? digit : `${digit} ${letters}`, onclick: () => press(digit),
        }, element("b", {}, digit), element("small", {}, letters))), back);
}
