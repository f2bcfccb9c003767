// The form for adding or editing a contact.

import { draftOf, dropDraft, keepDraft } from "../drafts.js";
import { saveChanges } from "../editing.js";
import { element } from "../elements.js";
import { field, form } from "../forms.js";
import { icon } from "../icons.js";
import { clearError, note } from "../messages.js";
import { path, post } from "../requests.js";
import { texts } from "../texts.js";

const simpleKeys = ["givenName", "familyName", "nickname", "organization"];
/** The fields that few people have. */
const otherKeys = ["namePrefix", "middleName", "nameSuffix", "phoneticGivenName", "phoneticFamilyName", "title", "department", "birthday"];

/** Returns the fields of a contact that the form edits. */
function fieldsOf(contact) {
    return {
        ...Object.fromEntries([...simpleKeys, ...otherKeys, "note"].map((key) => [key, contact?.[key] ?? ""])),
        groups: contact?.groups ?? [],
        phones: (contact?.phones ?? []).map(({ label, number }) => (label ? { label, number } : { number })),
        emails: (contact?.emails ?? []).map(({ label, address }) => (label ? { label, address } : { address })),
    };
}

/**
 * Creates the form for a contact of a version `tag`, or a new one if null. Calls `done` with the stored contact, `cancel` when it is
 * left, and `again` to show it anew.
 */
export function contactForm(contact, tag, { done, cancel, again }) {
    const names = texts.contacts.fields;
    const key = contact ? `contacts/${contact.id}` : "contacts/new";
    const draft = draftOf(key);
    const base = { ...fieldsOf(contact), ...draft?.base };
    const version = draft?.version ?? tag;
    const shown = { ...base, ...draft?.values };
    const simple = simpleKeys.map((name) => [name, field(names[name], { value: shown[name], autocomplete: "off" })]);
    const others = otherKeys.map((name) => [name, field(names[name], { value: shown[name], autocomplete: "off" })]);
    const groups = field(texts.contacts.groupsField, { value: shown.groups.join(", "), autocomplete: "off" });
    const more = element("details", { class: "more-fields", open: [...otherKeys, "groups"].some((name) => shown[name].length > 0) },
        element("summary", {}, texts.contacts.moreFields), element("div", { class: "form" }, others.map(([, made]) => made.element), groups.element));
    const note_ = field(names.note, { value: shown.note, rows: 3 });
    const changed = () => keepDraft(key, { base, version, values: values() });
    const phones = repeated(names.phone, texts.contacts.addPhone, { type: "tel", autocomplete: "off" }, shown.phones, "number", changed);
    const emails = repeated(names.email, texts.contacts.addEmail, { type: "email", autocomplete: "off" }, shown.emails, "address", changed);
    const values = () => ({
        ...Object.fromEntries([...simple, ...others, ["note", note_]].map(([name, { input }]) => [name, input.value.trim()])),
        groups: groups.input.value.split(",").map((name) => name.trim()).filter((name) => name !== ""),
        phones: phones.values(), emails: emails.values(),
    });

    return element("div", { class: "card" },
        element("h2", {}, contact ? texts.contacts.editTitle : texts.contacts.newTitle),
        form([simple.map(([, made]) => made.element), phones.element, emails.element, more, note_.element], {
            cancel,
            draft: {
                key, read: () => ({ base, version, values: values() }), restored: draft !== null,
                discard: () => { dropDraft(key); again(); },
            },
            fieldOf: (error) => {
                const name = error.code === "tooLong" ? error.problem.detail?.split(":")[0] : error.code === "nameless" ? "name" : null;
                const wrong = { name: simple[0][1], nickname: simple[2][1], organization: simple[3][1], note: note_, group: groups,
                    "phonetic name": others[3][1], phone: phones.first(), email: emails.first(), ...Object.fromEntries(others.slice(5)) }[name] ?? null;
                // A closed field cannot be focused.
                if (wrong && more.contains(wrong.input)) more.open = true;
                return wrong;
            },
            async send() {
                const now = values();
                const answer = contact
                    ? await saveChanges({
                        address: path(["contacts", contact.id]), tag: version, base, values: now, names, queued: texts.queue.contact(contact.name || texts.unnamed),
                        fieldsOf: (current) => fieldsOf(current.contact),
                    })
                    : await post(path(["contacts"]), { json: Object.fromEntries(Object.entries(now).filter(([, value]) => value.length > 0)), queued: texts.queue.newContact(now.givenName || texts.unnamed) });
                if (answer === null) return false;
                clearError();
                dropDraft(key);
                if (answer.isQueued) {
                    cancel();
                    return true;
                }
                note(texts.contacts.saved(answer.contact?.name ?? ""));
                await done({ ...answer.contact, id: answer.id });
                return true;
            },
        }));
}

/** Creates repeated fields, at least one. */
function repeated(name, addName, properties, values, key, changed) {
    const rows = element("div", { class: "repeated" });
    function add(value = {}) {
        const made = field(name, { ...properties, value: value[key] });
        const row = element("div", { class: "repeated-row" }, made.element,
            element("button", {
                type: "button", class: "plain round", "aria-label": texts.contacts.removeField(name),
                onclick: () => { row.remove(); if (rows.children.length === 0) add(); rows.querySelector("input").focus(); changed(); },
            }, icon("close")));
        row.label = value.label;
        row.made = made;
        rows.append(row);
        return made.input;
    }
    (values.length > 0 ? values : [{}]).forEach((value) => add(value));
    return {
        first: () => rows.firstElementChild.made,
        element: element("div", { class: "repeated-group" }, rows,
            element("button", { type: "button", class: "plain", onclick: () => add().focus() }, icon("add"), addName)),
        values: () => [...rows.children].map((row) => ({ label: row.label, [key]: row.querySelector("input").value.trim() }))
            .filter((value) => value[key] !== "").map(({ label, ...rest }) => (label ? { label, ...rest } : rest)),
    };
}
