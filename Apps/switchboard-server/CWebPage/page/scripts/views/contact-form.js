// Adding a contact, or changing one.

import { element } from "../elements.js";
import { field, form } from "../forms.js";
import { icon } from "../icons.js";
import { clearFailure, note } from "../messages.js";
import { patch, path, post } from "../requests.js";
import { texts } from "../texts.js";

/** The form of a contact, or of a new one; `done` gets the contact as it was stored. */
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
                    // A new contact says only what it has; in an old one an empty field takes away what was there.
                    const value = input.value.trim();
                    if (contact ? value !== (contact[key] ?? "") : value !== "") json[key] = value;
                }
                const answer = contact
                    ? await patch(path(["contacts", contact.id]), { json }) : await post(path(["contacts"]), { json });
                clearFailure();
                note(texts.contacts.saved(answer.contact?.name ?? ""));
                await done({ ...answer.contact, id: answer.id });
            },
        }));
}

/** Any number of fields of one kind; there is always an empty one to type into. */
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
