// The details and actions of a contact.

import { element } from "../elements.js";
import { UserError } from "../errors.js";
import { icon } from "../icons.js";
import { link, mailbox, telephone } from "../links.js";
import { fileButton } from "../forms.js";
import { menu } from "../menu.js";
import { fail } from "../messages.js";
import { picture, pictureTypes } from "../pictures.js";
import { get, patch, path, post, put, remove } from "../requests.js";
import { address } from "../routes.js";
import { avatar } from "../rows.js";
import { texts } from "../texts.js";
import { contactStory } from "./story.js";

/** The photographs that all browsers show. */
const shown = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/** Returns a function that creates the details of a contact. `changed` is called when one changes, `erase(contacts)` removes some. */
export function contactDetail({ changed, erase }) {
    return function show(contact) {
        const name = contact.name || texts.unnamed;
        const favourite = element("button", {
            type: "button", class: "button favourite", "aria-keyshortcuts": "F", "aria-pressed": String(contact.favourite === true),
            onclick: async () => {
                const wanted = favourite.getAttribute("aria-pressed") !== "true";
                try {
                    await patch(path(["contacts", contact.id]), { json: { favourite: wanted }, queued: texts.queue.contact(name) });
                    favourite.setAttribute("aria-pressed", String(wanted));
                    await changed();
                } catch (error) {
                    fail(error);
                }
            },
        }, icon("star"), texts.contacts.favourite);
        const edit = element("a", { class: "button", href: address("contacts", contact.id, "edit"), "aria-keyshortcuts": "E" }, icon("edit"), texts.contacts.edit);
        const remover = element("button", { type: "button", class: "plain danger", "aria-keyshortcuts": "Delete", onclick: () => erase([contact]) },
            icon("remove"), texts.contacts.delete);

        const chosen = () => {
            post(path(["contacts", contact.id, "call"]), { keepalive: true }).catch(() => {
                // Recording a call only affects the ranking.
            });
        };
        /** Shows the contact with another photo, or without one. */
        const showPhoto = async (answer) => {
            whole.replaceWith(show(answer.contact));
            await changed();
        };
        const photo = fileButton(texts.contacts.photo, [icon("picture"), texts.contacts.photo], {
            accept: pictureTypes,
            chosen: async ([file]) => {
                const image = await picture(file, shown);
                if (image === null) throw new UserError(texts.contacts.photoUnreadable);
                await showPhoto(await put(path(["contacts", contact.id, "photo"]), { body: image, type: image.type || "application/octet-stream" }));
            },
        });
        const removePhoto = contact.photo && element("button", {
            type: "button", class: "plain", onclick: async () => {
                try {
                    await remove(path(["contacts", contact.id, "photo"]));
                    await showPhoto(await get(path(["contacts", contact.id])));
                } catch (error) {
                    fail(error);
                }
            },
        }, icon("close"), texts.contacts.removePhoto);
        const whole = element("article", { class: "person" },
            element("header", { class: "person-head" },
                avatar("portrait", contact, { alt: texts.contacts.photoOf(name) }),
                element("div", {},
                    element("h2", { dir: "auto" }, name),
                    element("p", { class: "muted", dir: "auto" },
                        [contact.nickname && `“${contact.nickname}”`, contact.title, contact.organization !== name && contact.organization]
                            .filter(Boolean).join(" · ")))),
            contactStory(contact),
            quickActions(contact, chosen),
            ways(contact, chosen),
            facts(contact),
            element("div", { class: "actions" }, edit, favourite, menu(texts.more, [photo, removePhoto, remover])));
        return whole;
    };
}

/** Returns the fields of a contact that is not stored, such as the preview of a merge. */
export function preview(contact) {
    const others = (contact.otherProperties ?? []).map((line) => element("li", { dir: "auto" }, line));
    return element("div", {},
        element("h3", { dir: "auto" }, contact.name),
        element("p", { class: "muted", dir: "auto" }, [contact.title, contact.organization].filter(Boolean).join(" · ")),
        ways(contact), facts(contact), others.length > 0 && element("ul", { class: "plain-list small muted" }, others));
}

function ways({ phones = [], emails = [] }, chosen) {
    return [
        phones.length > 0 && element("ul", { class: "ways", "aria-label": texts.contacts.fields.phones },
            phones.map((phone) => way("phone", telephone(phone), phone.number, phone.label, chosen))),
        emails.length > 0 && element("ul", { class: "ways", "aria-label": texts.contacts.fields.emails },
            emails.map((email) => way("mail", mailbox(email.address), email.address, email.label, chosen))),
    ];
}

/** Returns links to call, message or mail a person, which come first on a phone. */
function quickActions(contact, chosen) {
    const preferred = contact.phones?.find((one) => one.preferred) ?? contact.phones?.[0];
    const phone = preferred && telephone(preferred);
    const email = contact.emails?.[0];
    const action = (picture, label, href, onclick) => href && element("a", { class: "button quick", href, onclick }, icon(picture), label);
    // The first one is the primary action.
    const links = [
        action("phone", texts.contacts.call, phone, chosen),
        action("message", texts.contacts.message, phone?.replace(/^tel:/, "sms:"), chosen),
        action("mail", texts.contacts.mail, email && mailbox(email.address), chosen),
    ].filter(Boolean);
    links[0]?.classList.add("primary");
    return links.length > 0 && element("div", { class: "actions quick-actions" }, links);
}

/** Returns a row with a phone number or e-mail address. */
export function way(picture, href, text, label, chosen) {
    const content = [icon(picture), element("span", { dir: "auto" }, text), label && element("small", {}, label)];
    return element("li", {}, href ? element("a", { class: "way", href, onclick: chosen }, content) : element("span", { class: "way" }, content));
}

/** The fields that are part of the name or shown beside it. */
const shownInHead = ["namePrefix", "middleName", "nameSuffix", "phoneticGivenName", "phoneticFamilyName", "title"];

function facts(contact) {
    const names = texts.contacts.fields;
    const rows = [
        [names.phoneticName, contact.phoneticName],
        ...Object.entries(texts.contacts.rareFields).filter(([key]) => !shownInHead.includes(key)).map(([key, name]) => [name, contact[key]]),
        [names.groups, (contact.groups ?? []).join(", ")],
        ...(contact.addresses ?? []).map((place) => [labelled(names.addresses, place), addressText(place)]),
        ...(contact.urls ?? []).map((url) => [labelled(names.urls, url), link(url.url)]),
        [names.relatedNames, (contact.relatedNames ?? []).join(", ")],
        ...(contact.socialProfiles ?? []).map(({ service, user, url }) => [
            labelled(names.socialProfiles, { label: service }), url ? link(url, {}, user || url) : user]),
        [names.note, contact.note],
    ].filter(([, value]) => value);
    return rows.length > 0 && element("dl", { class: "facts" },
        rows.map(([name, value]) => [element("dt", {}, name), element("dd", { dir: "auto" }, value)]));
}

const labelled = (name, { label }) => (label ? `${name} (${label})` : name);

function addressText({ box, extended, street, locality, region, postalCode, country }) {
    return [box, extended, street, locality, region, postalCode, country].filter(Boolean).join(", ");
}
