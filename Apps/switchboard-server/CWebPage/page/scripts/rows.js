// Rows of results, shared by all lists.

import { element } from "./elements.js";
import { icon } from "./icons.js";
import { marked } from "./highlights.js";
import { address } from "./routes.js";
import { texts } from "./texts.js";

const icons = { contact: "contacts", prospect: "prospects", airport: "airports", item: "item", activity: "activity" };
const views = { contact: "contacts", prospect: "prospects", airport: "airports" };

/** Returns the route of a result. */
export function place(result) {
    if (result.kind === "item") return ["activity", "item", result.id];
    if (result.kind === "activity") return ["activity", "doing", result.id];
    return [views[result.kind] ?? "find", result.id];
}

/** Returns the content of a row: a picture, a title and a subtitle with highlights. `note` is shown before the subtitle. */
export function rowContent(result, { showsKind = false, subtitle, note } = {}) {
    const highlights = result.highlights ?? {};
    const title = result.title || texts.unnamed;
    const line = secondLine(result, highlights, subtitle);
    const subtitleLine = line && element("span", { class: "row-subtitle", dir: "auto" }, line);
    return [
        element("span", { class: `row-picture kind-${result.kind}` }, picture(result)),
        element("span", { class: "row-text" },
            element("span", { class: "row-title", dir: "auto" }, marked(title, highlights.title ?? highlights.name)),
            note ? element("span", { class: "row-notes" }, note, subtitleLine) : subtitleLine),
        showsKind && element("span", { class: "row-kind" }, texts.kinds[result.kind] ?? result.kind),
        ["nearby", "typo", "layout"].includes(result.match) && result.kind === "airport" && result.stage
            && element("span", { class: "row-kind" }, texts.matches[result.match]),
        result.airport?.distance !== null && result.airport?.distance !== undefined
            && element("span", { class: "row-kind" }, texts.airports.distance(result.airport.distance)),
    ];
}

/** Returns a row that links to its result. */
export function rowLink(result, options = {}) {
    return element("a", { class: "row", href: address(...place(result)), onclick: options.onclick }, rowContent(result, options), options.trailing);
}

function picture(result) {
    // The code is shown here, so its highlights are shown here too.
    if (result.kind === "airport") return element("span", { class: "code" }, marked(result.airport?.code ?? result.id, result.highlights?.code));
    if (result.kind === "contact" || result.kind === "prospect") {
        const letters = initials(result.title ?? "");
        if (letters !== "") return element("span", { class: "initials", "aria-hidden": "true" }, letters);
    }
    return icon(icons[result.kind] ?? "item");
}

/** Returns the initials of the first and last word. */
export function initials(name) {
    const words = name.split(/\s+/).map((word) => /\p{L}/u.exec(word)?.[0] ?? "").filter((letter) => letter !== "");
    const shown = words.length > 1 ? [words[0], words[words.length - 1]] : words;
    return shown.join("").toLocaleUpperCase();
}

/** Returns the second line: a matched field other than the title, or the subtitle and the number of a person. */
function secondLine(result, highlights, subtitle) {
    if (highlights.subtitle && subtitle === undefined) return marked(result.subtitle, highlights.subtitle);
    for (const [field, ranges] of Object.entries(highlights)) {
        if (["title", "name", "subtitle"].includes(field) || (field === "code" && result.kind === "airport")) continue;
        const text = fieldText(result[result.kind], field);
        if (text) return marked(text, ranges);
    }
    return subtitle ?? ([...new Set([result.subtitle, result.number])].filter(Boolean).join(" · ") || null);
}

/** Returns the text of a field such as `phones.0`. */
function fieldText(object, field) {
    let value = object;
    for (const part of field.split(".")) {
        if (value === null || value === undefined || !Object.hasOwn(Object(value), part)) return null;
        value = value[part];
    }
    if (typeof value === "string") return value;
    return value?.number ?? value?.address ?? value?.value ?? null;
}
