// Saving changes of an object that may have changed elsewhere in the meantime.

import { openDialog } from "./dialogs.js";
import { element } from "./elements.js";
import { patch, put } from "./requests.js";
import { texts } from "./texts.js";

const same = (one, other) => JSON.stringify(one ?? "") === JSON.stringify(other ?? "");

/** Returns the values that differ from those of a base. */
export function changesOf(base, values) {
    return Object.fromEntries(Object.entries(values).filter(([key, value]) => !same(value, base[key])));
}

/**
 * Sends the changed values of an object. If it has changed elsewhere, merges the changes, or asks if both have changed the same field.
 * - `address`: the path of the object; `tag`: its version when editing began.
 * - `base`, `values`: its fields then and now; `fieldsOf(problem.current)`: returns those of the current version.
 * - `names`: the labels of the fields; `queued`: the name of the change if it has to wait for the server.
 * - `isWhole`: whether the request needs all fields, and not only those that changed.
 * Returns the response, or null if the user wants to go on editing.
 */
export async function saveChanges({ address, tag, base, values, fieldsOf, names, queued, isWhole = false }) {
    let changes = changesOf(base, values);
    let [version, latest] = [tag, base];
    for (;;) {
        try {
            const json = isWhole ? { ...latest, ...changes } : changes;
            return await (isWhole ? put : patch)(address, { json, headers: version ? { "If-Match": version } : {}, queued });
        } catch (error) {
            if (error.status !== 412 || !error.problem.current) throw error;
            const current = fieldsOf(error.problem.current);
            const conflicts = Object.keys(changes).filter((key) => !same(current[key], base[key]) && !same(current[key], changes[key]));
            if (conflicts.length > 0) {
                const choice = await ask(conflicts, changes, current, names);
                if (choice === undefined) return null;
                if (choice === "theirs") changes = Object.fromEntries(Object.entries(changes).filter(([key]) => !conflicts.includes(key)));
            }
            [version, latest] = [error.problem.tag, current];
        }
    }
}

/** Shows the two versions of the fields. Returns "mine", "theirs" or undefined. */
function ask(conflicts, mine, theirs, names) {
    return openDialog(texts.conflict.title, (close) => [
        element("p", { class: "lead" }, texts.conflict.lead),
        element("dl", { class: "facts" }, conflicts.map((key) => [
            element("dt", {}, names[key] ?? key),
            element("dd", { dir: "auto" }, texts.conflict.mine(shown(mine[key]))),
            element("dd", { dir: "auto" }, texts.conflict.theirs(shown(theirs[key]))),
        ])),
        element("div", { class: "actions" },
            element("button", { type: "button", class: "primary", autofocus: true, onclick: () => close("mine") }, texts.conflict.keepMine),
            element("button", { type: "button", onclick: () => close("theirs") }, texts.conflict.keepTheirs)),
    ]);
}

function shown(value) {
    return (Array.isArray(value) ? value.map(entryText).join("; ") : value) || texts.conflict.nothing;
}

/** Returns an element of a list as text: `work: +44 20 7946 0123`. */
function entryText(entry) {
    if (typeof entry === "string") return entry;
    const { label, preferred, ...parts } = entry;
    return [label, Object.values(parts).join(", ")].filter(Boolean).join(": ");
}
