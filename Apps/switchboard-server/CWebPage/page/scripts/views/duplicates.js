// The contacts that are probably the same person, with a button to merge them.

import "../main.js"; // for the bundle: what both share stays in the script of the page
import { openDialog } from "../dialogs.js";
import { element, fill } from "../elements.js";
import { fail, note } from "../messages.js";
import { get, path, post } from "../requests.js";
import { rowLink } from "../rows.js";
import { texts } from "../texts.js";
import { preview } from "./contact-detail.js";

/** Returns the groups of duplicates. Calls `changed()` when some were merged. */
export async function duplicates(changed) {
    const whole = element("div", {});
    async function draw() {
        const { results } = await get(path(["contacts", "duplicates"]));
        fill(whole, element("h2", {}, texts.duplicates.title), element("p", { class: "muted" }, results.length > 0 ? texts.duplicates.lead : texts.duplicates.none),
            results.map(group));
    }
    const refresh = () => Promise.all([draw(), changed()]);

    function group({ contacts, reasons, against, title }) {
        return element("section", { class: "block" },
            element("ul", { class: "rows", "aria-label": title }, contacts.map((contact) => element("li", { class: "item" },
                rowLink({ kind: "contact", id: contact.id, title: contact.name, subtitle: waysOf(contact) })))),
            element("p", { class: "small muted", dir: "auto" }, reasons.map(texts.duplicates.reason).join(", ")),
            against.length > 0 && element("p", { class: "small muted", dir: "auto" }, texts.duplicates.against(against)),
            element("div", { class: "actions" },
                element("button", { type: "button", class: "button", onclick: () => review(contacts).catch(fail) }, texts.duplicates.merge(contacts.length)),
                element("button", { type: "button", class: "button", onclick: () => separate(contacts).catch(fail) }, texts.duplicates.different)));
    }

    /** Shows the merged contact, and merges if the person agrees. */
    async function review(contacts) {
        const { contact } = await post(path(["contacts", "merge"], { dryRun: true }), { json: { ids: contacts.map((one) => one.id) } });
        const agrees = await openDialog(texts.duplicates.preview, (close) => [
            preview(contact),
            element("div", { class: "actions" },
                element("button", { type: "button", class: "primary", onclick: () => close(true) }, texts.duplicates.confirm),
                element("button", { type: "button", onclick: () => close(false) }, texts.cancel)),
        ]);
        if (agrees) await merge(contacts);
    }

    async function separate(contacts) {
        const mark = (undo) => post(path(["contacts", "different"], { undo }), { json: { ids: contacts.map((one) => one.id) } });
        await mark();
        note(texts.duplicates.separated, [{
            label: texts.undo, act: async () => {
                await mark(true);
                await draw();
            },
        }]);
        await draw();
    }

    async function merge(contacts) {
        const { id, contact } = await post(path(["contacts", "merge"]), { json: { ids: contacts.map((one) => one.id) } });
        note(texts.duplicates.merged(contact.name), [{
            label: texts.undo, act: async () => {
                await post(path(["contacts", id, "unmerge"]));
                await refresh();
            },
        }]);
        await refresh();
    }

    await draw();
    return whole;
}

function waysOf({ organization, phones, emails }) {
    return [organization, ...phones.map((phone) => phone.number), ...emails.map((email) => email.address)].filter(Boolean).join(" · ");
}
