// The contacts that are probably the same person, with a button to merge them.

import { element, fill } from "../elements.js";
import { fail, note } from "../messages.js";
import { get, path, post } from "../requests.js";
import { rowLink } from "../rows.js";
import { texts } from "../texts.js";

/** Returns the groups of duplicates. Calls `changed()` when some were merged. */
export async function duplicates(changed) {
    const whole = element("div", {});
    async function draw() {
        const { results } = await get(path(["contacts", "duplicates"]));
        fill(whole, element("h2", {}, texts.duplicates.title), element("p", { class: "muted" }, results.length > 0 ? texts.duplicates.lead : texts.duplicates.none),
            results.map(group));
    }
    const refresh = () => Promise.all([draw(), changed()]);

    function group({ contacts, reasons, title }) {
        return element("section", { class: "block" },
            element("ul", { class: "rows", "aria-label": title }, contacts.map((contact) => element("li", { class: "item" },
                rowLink({ kind: "contact", id: contact.id, title: contact.name, subtitle: waysOf(contact) })))),
            element("p", { class: "small muted", dir: "auto" }, reasons.map(texts.duplicates.reason).join(", ")),
            element("button", { type: "button", class: "button", onclick: () => merge(contacts).catch(fail) }, texts.duplicates.merge(contacts.length)));
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
