// One contact: how to reach them, and what can be done with them.

import { element } from "../elements.js";
import { icon } from "../icons.js";
import { link, mailbox, telephone } from "../links.js";
import { fail, note } from "../messages.js";
import { patch, path, post, remove } from "../requests.js";
import { address } from "../routes.js";
import { initials } from "../rows.js";
import { texts } from "../texts.js";

/** Makes the details of contacts. `changed`, `leave`, `stayed` and `gone` are told what became of one. */
export function contactDetail({ changed, leave, stayed, gone }) {
    return (contact) => {
        const name = contact.name || texts.unnamed;
        const favourite = element("button", {
            type: "button", class: "button favourite", "aria-keyshortcuts": "F", "aria-pressed": String(contact.favourite === true),
            onclick: async () => {
                const wanted = favourite.getAttribute("aria-pressed") !== "true";
                try {
                    await patch(path(["contacts", contact.id]), { json: { favourite: wanted } });
                    favourite.setAttribute("aria-pressed", String(wanted));
                    await changed();
                } catch (error) {
                    fail(error);
                }
            },
        }, icon("star"), texts.contacts.favourite);
        const edit = element("a", { class: "button", href: address("contacts", contact.id, "edit"), "aria-keyshortcuts": "E" }, icon("edit"), texts.contacts.edit);
        // The server cannot bring a contact back, so it is told only when nobody can change their mind any more.
        const erase = element("button", {
            type: "button", class: "button danger", "aria-keyshortcuts": "Delete", onclick: () => {
                leave(contact);
                note(texts.contacts.deleted(name), [{ label: texts.undo, act: () => stayed(contact) }], () =>
                    remove(path(["contacts", contact.id]), { keepalive: true }).catch((error) => {
                        if (error.status !== 404) fail(error);
                    }).finally(() => gone(contact).catch(fail)));
            },
        }, icon("remove"), texts.contacts.delete);

        const chosen = () => {
            post(path(["contacts", contact.id, "call"]), { keepalive: true }).catch(() => {
                // That somebody was called makes them rank earlier; a call goes on without.
            });
        };
        return element("article", { class: "person" },
            element("header", { class: "person-head" },
                portrait(contact, name),
                element("div", {},
                    element("h2", { dir: "auto" }, name),
                    element("p", { class: "muted", dir: "auto" },
                        [contact.nickname && `“${contact.nickname}”`, contact.title, contact.organization !== name && contact.organization]
                            .filter(Boolean).join(" · ")))),
            element("div", { class: "actions" }, favourite, edit, erase),
            contact.phones?.length > 0 && element("ul", { class: "ways", "aria-label": texts.contacts.fields.phones },
                contact.phones.map((phone) => way("phone", telephone(phone), phone.number, phone.label, chosen))),
            contact.emails?.length > 0 && element("ul", { class: "ways", "aria-label": texts.contacts.fields.emails },
                contact.emails.map((email) => way("mail", mailbox(email.address), email.address, email.label, chosen))),
            facts(contact));
    };
}

/** The photograph, or, where there is none that can be shown, the initials. */
function portrait(contact, name) {
    const letters = element("span", { class: "portrait", "aria-hidden": "true" }, initials(name) || icon("contacts"));
    if (!contact.photo) return letters;
    const picture = element("img", {
        class: "portrait", alt: texts.contacts.photoOf(name), width: 64, height: 64, src: path(["contacts", contact.id, "photo"]),
        onerror: () => picture.replaceWith(letters),
    });
    return picture;
}

/** A way to reach somebody. */
export function way(picture, href, text, label, chosen) {
    const content = [icon(picture), element("span", { dir: "auto" }, text), label && element("small", {}, label)];
    return element("li", {}, href ? element("a", { class: "way", href, onclick: chosen }, content) : element("span", { class: "way" }, content));
}

function facts(contact) {
    const names = texts.contacts.fields;
    const rows = [
        [names.phoneticName, contact.phoneticName], [names.department, contact.department], [names.birthday, contact.birthday],
        [names.groups, (contact.groups ?? []).join(", ")],
        ...(contact.addresses ?? []).map((place) => [names.addresses, addressText(place)]),
        ...(contact.urls ?? []).map((url) => [names.urls, link(typeof url === "string" ? url : url.url ?? url.address ?? "")]),
        [names.note, contact.note],
    ].filter(([, value]) => value);
    return rows.length > 0 && element("dl", { class: "facts" },
        rows.map(([name, value]) => [element("dt", {}, name), element("dd", { dir: "auto" }, value)]));
}

function addressText(place) {
    if (typeof place === "string") return place;
    return [place.street, place.locality ?? place.city, place.region, place.postalCode, place.country].filter(Boolean).join(", ");
}
