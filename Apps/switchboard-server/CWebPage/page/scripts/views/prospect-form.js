// The form for adding or editing a prospect.

import { element } from "../elements.js";
import { field, form } from "../forms.js";
import { clearError, note } from "../messages.js";
import { patch, path, post } from "../requests.js";
import { texts } from "../texts.js";

const kinds = { email: "email", phone: "tel" };

/** Creates the form for a prospect, or a new one if null. Calls `done` with the stored prospect. */
export function prospectForm(prospect, done, cancel) {
    const fields = Object.entries(texts.prospects.fields).map(([key, name]) => [key, field(name, {
        type: key === "note" ? null : kinds[key] ?? "text", value: prospect?.[key], autocomplete: "off", rows: key === "note" ? 3 : undefined,
    })]);
    return element("div", { class: "card" },
        element("h2", {}, prospect ? texts.prospects.editTitle : texts.prospects.newTitle),
        form(fields.map(([, made]) => made.element), {
            cancel,
            async send() {
                const json = {};
                for (const [key, { input }] of fields) {
                    const value = input.value.trim();
                    if (prospect ? value !== (prospect[key] ?? "") : value !== "") json[key] = value;
                }
                const answer = prospect
                    ? await patch(path(["prospects", prospect.id]), { json }) : await post(path(["prospects"]), { json });
                clearError();
                note(texts.prospects.saved(answer.prospect?.name ?? ""));
                await done({ ...answer.prospect, id: answer.id });
            },
        }));
}
