// The actions on several contacts, each with undo: a script of its own, which is loaded when one is first chosen.

import "../main.js"; // for the bundle: what both share stays in the script of the page
import { changeEach, saveTable } from "../bulk.js";
import { openDialog } from "../dialogs.js";
import { element } from "../elements.js";
import { UserError } from "../errors.js";
import { field, form } from "../forms.js";
import { note } from "../messages.js";
import { get, patch, path, tagOf } from "../requests.js";
import { texts } from "../texts.js";

/** Asks for a group and adds contacts to it. Returns false if someone has left the question. */
export async function addToGroup(contacts, changed) {
    const { results } = await get(path(["contacts", "groups"]));
    const name = field(texts.contacts.groupName, { list: "known-groups", autocomplete: "off", autofocus: true });
    const group = await openDialog(texts.contacts.groupTitle(contacts.length), (close) => [
        form([name.element, element("datalist", { id: "known-groups" }, results.map((known) => element("option", { value: known.name })))], {
            send() {
                const wanted = name.input.value.trim();
                if (wanted === "") throw new UserError(texts.contacts.groupMissing);
                close(wanted);
            },
            fieldOf: () => name,
        }),
    ]);
    if (group === undefined) return false;
    const others = contacts.filter((contact) => !(contact.groups ?? []).includes(group));
    const done = await changeEach(others, (contact) => changeGroups(contact, contact.etag, (groups) => [...new Set([...groups, group])]));
    note(texts.contacts.grouped(done.length, group), [{
        label: texts.undo, act: async () => {
            await changeEach(done, async (contact) => {
                const answer = await get(path(["contacts", contact.id]));
                return changeGroups(answer.contact, tagOf(answer), (groups) => groups.filter((name) => name !== group));
            });
            await changed();
        },
    }]);
    await changed();
    return true;
}

/** Changes the groups of a version `tag` of a contact, or those of the current version if it has changed elsewhere. */
async function changeGroups(contact, tag, groupsOf) {
    let [current, version] = [contact, tag];
    for (;;) {
        try {
            return await patch(path(["contacts", contact.id]), {
                json: { groups: groupsOf(current.groups ?? []) }, headers: version ? { "If-Match": version } : {},
                queued: texts.queue.contact(contact.name || texts.unnamed),
            });
        } catch (error) {
            if (error.status !== 412 || !error.problem.current) throw error;
            [current, version] = [error.problem.current.contact, error.problem.tag];
        }
    }
}

/** Makes contacts favourites. */
export async function makeFavourites(contacts, changed) {
    const set = (value) => (contact) => patch(path(["contacts", contact.id]),
        { json: { favourite: value }, queued: texts.queue.contact(contact.name || texts.unnamed) });
    const done = await changeEach(contacts.filter((contact) => !contact.favourite), set(true));
    note(texts.contacts.madeFavourites(done.length), [{
        label: texts.undo, act: async () => {
            await changeEach(done, set(false));
            await changed();
        },
    }]);
    await changed();
}

/** Saves contacts as a table. */
export function saveContacts(contacts) {
    const names = texts.contacts.fields;
    const columns = ["name", "givenName", "familyName", "nickname", "organization"];
    saveTable("contacts.csv", [
        [texts.prospects.fields.name, ...columns.slice(1).map((key) => names[key]), names.phones, names.emails, names.groups, names.note],
        ...contacts.map((contact) => [
            ...columns.map((key) => contact[key]), (contact.phones ?? []).map(({ number }) => number).join("; "),
            (contact.emails ?? []).map(({ address }) => address).join("; "), (contact.groups ?? []).join("; "), contact.note,
        ]),
    ]);
}
