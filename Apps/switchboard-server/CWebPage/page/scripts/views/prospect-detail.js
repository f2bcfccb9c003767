// The details and actions of a prospect.

import { element } from "../elements.js";
import { icon } from "../icons.js";
import { mailbox, telephone } from "../links.js";
import { menu } from "../menu.js";
import { fail } from "../messages.js";
import { address } from "../routes.js";
import { avatar } from "../rows.js";
import { texts } from "../texts.js";
import { way } from "./contact-detail.js";
import { prospectStory } from "./story.js";

/** Returns a function that creates the details of a prospect. `reminderOf(id)` returns the pending reminder. */
export function prospectDetail(changes, reminderOf) {
    return (prospect) => {
        const name = prospect.name || texts.unnamed;
        const reminder = reminderOf(prospect.id);
        const box = element("input", {
            type: "checkbox", class: "switch", checked: prospect.contacted, "aria-keyshortcuts": "Space",
            onchange: () => changes.setContacted([prospect], box.checked).catch((error) => {
                box.checked = !box.checked;
                fail(error);
            }),
        });
        const remind = element("button", { type: "button", class: "button primary", onclick: () => changes.remind([prospect]).catch(fail), "aria-keyshortcuts": "R", hidden: prospect.contacted },
            icon("bell"), texts.prospects.remind);
        const edit = element("a", { class: "button", href: address("prospects", prospect.id, "edit"), "aria-keyshortcuts": "E" }, icon("edit"), texts.prospects.edit);
        const erase = element("button", { type: "button", class: "plain danger", "aria-keyshortcuts": "Delete", onclick: () => changes.erase([prospect]).catch(fail) },
            icon("remove"), texts.prospects.delete);
        return element("article", { class: "person" },
            element("header", { class: "person-head" }, avatar("portrait", prospect, { picture: "prospects" }),
                element("div", {}, element("h2", { dir: "auto" }, name), element("p", { class: "muted", dir: "auto" }, prospect.organization ?? ""))),
            prospectStory(prospect, reminder, () => changes.cancelReminder(reminder).catch(fail)),
            element("label", { class: "switch-line" }, box, texts.prospects.contacted),
            element("ul", { class: "ways" },
                prospect.email && way("mail", mailbox(prospect.email), prospect.email),
                prospect.phone && way("phone", telephone({ number: prospect.phone }), prospect.phone)),
            element("div", { class: "actions" }, remind, edit, menu(texts.more, [erase])),
            prospect.note && element("p", { class: "long", dir: "auto" }, prospect.note));
    };
}
