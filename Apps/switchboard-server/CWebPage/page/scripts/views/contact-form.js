// The form for adding or editing a contact.

import { element } from "../elements.js";
import { field, form } from "../forms.js";
import { icon } from "../icons.js";
import { clearError, note } from "../messages.js";
import { patch, path, post } from "../requests.js";
import { texts } from "../texts.js";

/** Creates the form for a contact, or a new one if null. Calls `done` with the stored contact. */
export function contactForm(contact, done, cancel) {
    const names = texts.contacts.fields;
    const simple = ["givenName", "familyName", "nickname", "organization"].map((key) =>
        [key, field(names[key], { value: contact?.[key], autocomplete: "off" })]);
    const note_ = field(names.note, { value: contact?.note, rows: 3 });
    const phones = repeated(names.phone, texts.contacts.addPhone, { type: "tel", autocomplete: "off" }, contact?.phones ?? [], "number");
    const emails = repeated(names.email, texts.contacts.addEmail, { type: "email", autocomplete: "off" }, contact?.emails ?? [], "address");

    return element("div", { class: "card" },
        element("h2", {}, contact ? texts.contacts.editTitle : texts.contacts.newTitle),
        form([simple.map(([, made]) => made.element), phones.element, emails.element, note_.element], {
            cancel,
            async send() {
                const json = { phones: phones.values(), emails: emails.values() };
                for (const [key, { input }] of [...simple, ["note", note_]]) {
                    // Send only changed fields; an empty field removes a value.
                    const value = input.value.trim();
                    if (contact ? value !== (contact[key] ?? "") : value !== "") json[key] = value;
                }
                const answer = contact
                    ? await patch(path(["contacts", contact.id]), { json }) : await post(path(["contacts"]), { json });
                clearError();
                note(texts.contacts.saved(answer.contact?.name ?? ""));
                await done({ ...answer.contact, id: answer.id });
            },
        }));
}

/** Creates repeated fields, at least one. */
function repeated(name, addName, properties, values, key) {
    const rows = element("div", { class: "repeated" });
    function add(value = {}) {
        const made = field(name, { ...properties, value: value[key] });
        const row = element("div", { class: "repeated-row" }, made.element,
            element("button", {
                type: "button", class: "plain round", "aria-label": texts.contacts.removeField(name),
                onclick: () => { row.remove(); if (rows.children.length === 0) add(); rows.querySelector("input").focus(); },
            }, icon("close")));
        row.label = value.label;
        rows.append(row);
        return made.input;
    }
    (values.length > 0 ? values : [{}]).forEach((value) => add(value));
    return {
        element: element("div", { class: "repeated-group" }, rows,
            element("button", { type: "button", class: "plain", onclick: () => add().focus() }, icon("add"), addName)),
        values: () => [...rows.children].map((row) => ({ label: row.label, [key]: row.querySelector("input").value.trim() }))
            .filter((value) => value[key] !== "").map(({ label, ...rest }) => (label ? { label, ...rest } : rest)),
    };
}
