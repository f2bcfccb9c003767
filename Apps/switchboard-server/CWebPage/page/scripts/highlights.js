// Highlights of matched text. Ranges count Unicode scalars, but JavaScript strings count UTF-16 code units.

import { element } from "./elements.js";

/** Returns nodes with the ranges `[[start, length], …]` of a text in `<mark>`. Ranges outside the text are ignored. */
export function marked(text, ranges) {
    const sound = (ranges ?? []).filter(([start, length]) => start >= 0 && length > 0);
    if (sound.length === 0) return [text];
    const scalars = Array.from(text);
    const nodes = [];
    let shown = 0;
    for (const [start, length] of sound) {
        if (start < shown || start + length > scalars.length) continue;
        if (start > shown) nodes.push(scalars.slice(shown, start).join(""));
        nodes.push(element("mark", {}, scalars.slice(start, start + length).join("")));
        shown = start + length;
    }
    if (shown < scalars.length) nodes.push(scalars.slice(shown).join(""));
    return nodes;
}
