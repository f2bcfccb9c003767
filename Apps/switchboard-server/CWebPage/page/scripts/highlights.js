// What matched, marked. Ranges count Unicode scalars, as everywhere in Switchboard; JavaScript counts UTF-16 units, so a name with an
// emoji or a rare han character in it must be taken apart first.

import { element } from "./elements.js";

/** A text as nodes, the ranges `[[start, length], …]` of it in `<mark>`. Ranges that do not fit the text are left out. */
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
