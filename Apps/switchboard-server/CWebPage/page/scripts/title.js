// The title of the document, by which tabs and the history tell views and people apart.

import { texts } from "./texts.js";

let view = "";
let name = "";

/** Names the view, and nothing in it yet. */
export function nameView(text) {
    view = text;
    nameDetail("");
}

/** Names what is open in the view; an empty text for nothing. */
export function nameDetail(text) {
    name = text;
    document.title = [name, view, texts.name].filter((part) => part !== "").join(" · ");
}
