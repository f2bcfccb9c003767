// The form for adding or editing a prospect.

import { draftOf, dropDraft } from "../drafts.js";
import { saveChanges } from "../editing.js";
import { element } from "../elements.js";
import { field, form } from "../forms.js";
import { clearError, note } from "../messages.js";
import { path, post } from "../requests.js";
import { texts } from "../texts.js";

const kinds = { email: "email", phone: "tel" };

/** Returns the fields of a prospect that the form edits. */
function fieldsOf(prospect) {
    return Object.fromEntries(Object.keys(texts.prospects.fields).map((key) => [key, prospect?.[key] ?? ""]));
}

/**
 * Creates the form for a prospect of a version `tag`, or a new one if null. Calls `done` with the stored prospect, `cancel` when it is
 * left, and `again` to show it anew.
 */
export function prospectForm(prospect, tag, { done, cancel, again }) {
    const names = texts.prospects.fields;
    const key = prospect ? `prospects/${prospect.id}` : "prospects/new";
    const draft = draftOf(key);
    const base = draft?.base ?? fieldsOf(prospect);
    const version = draft?.version ?? tag;
    const shown = draft?.values ?? base;
    const fields = new Map(Object.entries(names).map(([name, label]) => [name, field(label, {
        type: name === "note" ? null : kinds[name] ?? "text", value: shown[name], autocomplete: "off", rows: name === "note" ? 3 : undefined,
    })]));
    const values = () => Object.fromEntries([...fields].map(([name, { input }]) => [name, input.value.trim()]));

    return element("div", { class: "card" },
        element("h2", {}, prospect ? texts.prospects.editTitle : texts.prospects.newTitle),
        form([...fields.values()].map((made) => made.element), {
            cancel,
            draft: {
                key, read: () => ({ base, version, values: values() }), restored: draft !== null,
                discard: () => { dropDraft(key); again(); },
            },
            fieldOf: (error) => fields.get(error.problem?.field),
            async send() {
                const now = values();
                const answer = prospect
                    ? await saveChanges({
                        address: path(["prospects", prospect.id]), tag: version, base, values: now, names, queued: texts.queue.prospect(prospect.name || texts.unnamed),
                        fieldsOf: (current) => fieldsOf(current.prospect),
                    })
                    : await post(path(["prospects"]), { json: Object.fromEntries(Object.entries(now).filter(([, value]) => value !== "")), queued: texts.queue.newProspect(now.name || texts.unnamed) });
                if (answer === null) return false;
                clearError();
                dropDraft(key);
                if (answer.isQueued) {
                    cancel();
                    return true;
                }
                note(texts.prospects.saved(answer.prospect?.name ?? ""));
                await done({ ...answer.prospect, id: answer.id });
                return true;
            },
        }));
}
