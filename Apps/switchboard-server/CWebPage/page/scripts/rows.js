// Rows of results, shared by all lists.

import { element } from "./elements.js";
import { icon } from "./icons.js";
import { marked } from "./highlights.js";
import { path } from "./requests.js";
import { address } from "./routes.js";
import { texts } from "./texts.js";

const icons = { airport: "airports", item: "item", activity: "activity" };
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
        isPerson(result) ? avatar("row-picture", result[result.kind] ?? { name: result.title }, { picture: result.kind === "contact" ? "contacts" : "prospects" })
            : element("span", { class: `row-picture kind-${result.kind}` }, picture(result)),
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
    return icon(icons[result.kind] ?? "item");
}

const isPerson = ({ kind }) => kind === "contact" || kind === "prospect";

/** The number of hues of names. Neighbors differ visibly. */
const hues = 12;

/** Returns the photograph of a person, else the initials on a color of the name, else an icon. `alt` is its text, if it is not beside the name. */
export function avatar(kind, { id, name, photo, modifiedAt }, { picture = "contacts", alt = "" } = {}) {
    const letters = element("span", { class: `${kind} avatar`, "aria-hidden": "true" }, initials(name ?? "") || icon(picture));
    const hue = [...name ?? ""].reduce((sum, letter) => (31 * sum + letter.codePointAt(0)) % 65_521, 7) % hues;
    letters.style.setProperty("--hue", `${360 / hues * hue}`);
    if (!photo) return letters;
    const image = element("img", {
        class: kind, alt, width: 64, height: 64, loading: "lazy", src: path(["contacts", id, "photo"], { v: modifiedAt }), onerror: () => image.replaceWith(letters),
    });
    return image;
}

/** Returns the initials of the first and last word. */
function initials(name) {
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
    // Those of the same name differ in their number or their e-mail address.
    return subtitle ?? ([...new Set([result.subtitle, result.number || result.contact?.emails?.[0]?.address])].filter(Boolean).join(" · ") || null);
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
