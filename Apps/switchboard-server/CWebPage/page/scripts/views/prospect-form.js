// Adding somebody met by hand, or changing what is known of them.

import { element } from "../elements.js";
import { field, form } from "../forms.js";
import { clearFailure, note } from "../messages.js";
import { patch, path, post } from "../requests.js";
import { texts } from "../texts.js";

const kinds = { email: "email", phone: "tel" };

/** The form of a prospect, or of a new one; `done` gets the prospect as it was stored. */
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
                clearFailure();
                note(texts.prospects.saved(answer.prospect?.name ?? ""));
                await done({ ...answer.prospect, id: answer.id });
            },
        }));
}
