// The form for adding or editing a contact: a script of its own, which is loaded when the form is first opened. It has no state.

import "../main.js"; // for the bundle: what both share stays in the script of the page
import { formTexts } from "../contact-form-texts.js";
import { draftOf, dropDraft, keepDraft } from "../drafts.js";
import { saveChanges } from "../editing.js";
import { element, freshId } from "../elements.js";
import { field, form } from "../forms.js";
import { icon } from "../icons.js";
import { clearError, note } from "../messages.js";
import { path, post } from "../requests.js";
import { texts } from "../texts.js";

const simpleKeys = ["givenName", "familyName", "nickname", "organization"];
const otherKeys = Object.keys(texts.contacts.rareFields);
/** The lists of a contact with the members of their elements, in the order in which they are compared. */
const lists = {
    phones: ["label", "number", "preferred"], emails: ["label", "address", "preferred"], urls: ["label", "url"],
    addresses: ["label", ...Object.keys(formTexts.address)], socialProfiles: Object.keys(formTexts.profile),
};

/** Returns an element of a list with its members in order, without empty ones; null if it only has a label. */
function entryOf(list, value) {
    const entry = Object.fromEntries(lists[list].filter((key) => value[key]).map((key) => [key, value[key]]));
    return Object.keys(entry).some((key) => key !== "label" && key !== "preferred") ? entry : null;
}

/** Returns the fields of a contact that the form edits. */
function fieldsOf(contact) {
    return {
        ...Object.fromEntries([...simpleKeys, ...otherKeys, "note"].map((key) => [key, contact?.[key] ?? ""])),
        groups: contact?.groups ?? [], relatedNames: contact?.relatedNames ?? [],
        ...Object.fromEntries(Object.keys(lists).map((list) => [list, (contact?.[list] ?? []).map((value) => entryOf(list, value)).filter(Boolean)])),
    };
}

/**
 * Creates the form for a contact of a version `tag`, or a new one if null. Calls `done` with the stored contact, `cancel` when it is
 * left, and `again` to show it again.
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
    const groups = field(formTexts.groupsField, { value: shown.groups.join(", "), autocomplete: "off" });
    const note_ = field(names.note, { value: shown.note, rows: 3 });
    const changed = () => keepDraft(key, { base, version, values: values() });
    const phones = repeated("phones", shown, changed, labelled("phones", "number", { type: "tel" }), { isNeeded: true });
    const emails = repeated("emails", shown, changed, labelled("emails", "address", { type: "email" }), { isNeeded: true });
    const urls = repeated("urls", shown, changed, labelled("urls", "url", { type: "url" }));
    const addresses = repeated("addresses", shown, changed, address);
    const relatedNames = repeated("relatedNames", shown, changed, related);
    const socialProfiles = repeated("socialProfiles", shown, changed, profile);
    const more = element("details", {
        class: "more-fields", open: [...otherKeys, "groups", "addresses", "urls", "relatedNames", "socialProfiles"].some((name) => shown[name].length > 0),
    }, element("summary", {}, formTexts.moreFields), element("div", { class: "form" }, addresses.element, urls.element,
        others.map(([, made]) => made.element), relatedNames.element, socialProfiles.element, groups.element));
    const values = () => ({
        ...Object.fromEntries([...simple, ...others, ["note", note_]].map(([name, { input }]) => [name, input.value.trim()])),
        groups: groups.input.value.split(",").map((name) => name.trim()).filter((name) => name !== ""),
        relatedNames: relatedNames.values(), socialProfiles: socialProfiles.values(), phones: phones.values(), emails: emails.values(), urls: urls.values(), addresses: addresses.values(),
    });

    /** Returns the field of an error, or null. */
    function fieldOf({ problem }) {
        const detail = problem?.detail ?? "";
        const wrong = {
            name: simple[0][1], note: note_, groups, phones: phones.longest(), emails: emails.longest(), urls: urls.longest(),
            addresses: addresses.longest(), relatedNames: relatedNames.longest(), socialProfiles: socialProfiles.longest(), ...Object.fromEntries([...simple, ...others]),
        }[problem?.field] ?? [...phones.fields(), ...emails.fields()].find(({ input }) => input.value.trim() !== "" && detail.includes(`“${input.value.trim()}”`)) ?? null;
        // A closed field cannot be focused.
        if (wrong && more.contains(wrong.input)) more.open = true;
        return wrong;
    }

    return element("div", { class: "card" },
        element("h2", {}, contact ? formTexts.editTitle : formTexts.newTitle),
        form([simple.map(([, made]) => made.element), phones.element, emails.element, more, note_.element], {
            cancel, fieldOf,
            draft: {
                key, read: () => ({ base, version, values: values() }), restored: draft !== null,
                discard: () => { dropDraft(key); again(); },
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

/**
 * Creates the fields of a list; one that `isNeeded` has at least one row. `make(value)` returns a row: its `element`, its `fields`, and a
 * function `read` that returns its value, or null if it is empty.
 */
function repeated(list, shown, changed, make, { isNeeded = false } = {}) {
    const rows = element("div", { class: "repeated" });
    const made = new Map();
    const all = () => [...rows.children].map((row) => made.get(row));
    function add(value) {
        const row = make(value);
        const remove = element("button", {
            type: "button", class: "plain round", "aria-label": formTexts.remove(formTexts.elements[list]),
            onclick: () => {
                row.element.remove();
                if (rows.children.length === 0 && isNeeded) add({});
                (rows.querySelector("input") ?? more).focus();
                changed();
            },
        }, icon("close"));
        row.element.append(remove);
        made.set(row.element, row);
        rows.append(row.element);
        return row;
    }
    const more = element("button", { type: "button", class: "plain", onclick: () => add({}).fields[0].input.focus() }, icon("add"), formTexts.add[list]);
    shown[list].forEach((value) => add(value));
    if (shown[list].length === 0 && isNeeded) add({});
    const fields = () => all().flatMap((row) => row.fields);
    return {
        fields,
        /** The field with the longest text. */
        longest: () => fields().sort((one, other) => other.input.value.length - one.input.value.length)[0],
        element: element("div", { class: "repeated-group" }, rows, more),
        values: () => all().map((row) => row.read()).filter(Boolean),
    };
}

/** Creates a field for the label of an element of a list, with the usual ones to choose from. */
function labelField(list, value) {
    const id = freshId("labels");
    const made = field(formTexts.label, { value, list: id, autocomplete: "off", "aria-label": formTexts.labelOf(formTexts.elements[list]) });
    made.element.append(element("datalist", { id }, formTexts.labels[list].map((label) => element("option", { value: label }))));
    made.element.classList.add("label-field");
    return made;
}

/** Returns a function that creates a row with a label and a text. */
function labelled(list, key, properties) {
    return (value) => {
        const text = field(formTexts.elements[list], { ...properties, value: value[key], autocomplete: "off" });
        const label = labelField(list, value.label);
        return {
            fields: [text, label],
            element: element("div", { class: "repeated-row" }, text.element, label.element),
            read: () => entryOf(list, { ...value, label: label.input.value.trim(), [key]: text.input.value.trim() }),
        };
    };
}

/** Creates a row with a postal address. */
function address(value) {
    const label = labelField("addresses", value.label);
    return partsOf("addresses", formTexts.address, value, label);
}

/** Creates a row with a profile in a social network. */
const profile = (value) => partsOf("socialProfiles", formTexts.profile, value);

/** Creates a row with a field for each part of an element of a list, after its label if it has one. */
function partsOf(list, names, value, label = null) {
    const parts = Object.entries(names).map(([key, name]) => [key, field(name, { value: value[key], autocomplete: "off", rows: key === "street" ? 2 : null })]);
    if (label) parts.push(["label", label]);
    return {
        fields: parts.map(([, part]) => part),
        element: element("div", { class: "repeated-row address-row", role: "group", "aria-label": formTexts.elements[list] },
            label?.element, parts.filter(([key]) => key !== "label").map(([, part]) => part.element)),
        read: () => entryOf(list, Object.fromEntries(parts.map(([key, { input }]) => [key, input.value.trim()]))),
    };
}

/** Creates a row with the name of a related person. */
function related(value) {
    const made = field(formTexts.elements.relatedNames, { value: typeof value === "string" ? value : "", autocomplete: "off" });
    return {
        fields: [made], element: element("div", { class: "repeated-row" }, made.element),
        read: () => made.input.value.trim(),
    };
}
