// The frame around all views: the brand, the navigation, the title and the messages.

import { dueList } from "./due.js";
import { element, fill } from "./elements.js";
import { icon } from "./icons.js";
import { announce, messages } from "./messages.js";
import { nameView } from "./title.js";
import { texts } from "./texts.js";
import { waitingList } from "./waiting.js";

/** Creates the frame with links `[{view, href, name}]`. */
export function frame(links, openCommands) {
    const anchors = new Map(links.map(({ view, href, name }) => [view, element("a", { href, class: "tab" }, icon(view), element("span", {}, name))]));
    const title = element("h1", { tabindex: "-1" });
    const content = element("div", { class: "view" });
    const main = element("main", { id: "content", tabindex: "-1" },
        element("div", { class: "head" }, title, messages.status), messages.offline, messages.alert, waitingList, dueList, content);
    return {
        element: element("div", { class: "frame" },
            element("header", { class: "bar" },
                element("p", { class: "brand" }, element("img", { src: "/page/icon.svg", alt: "", width: "32", height: "32" }), texts.name),
                element("nav", { "aria-label": texts.navigation }, [...anchors.values()]),
                element("button", { type: "button", class: "plain commands", onclick: openCommands }, texts.palette.title, element("kbd", {}, "Ctrl K"))),
            main, messages.notices),
        skip(event) {
            event.preventDefault();
            main.focus();
        },
        /** Shows only the links of the views that the session may see. */
        permit(isPermitted) {
            for (const [name, anchor] of anchors) anchor.hidden = !isPermitted(name);
        },
        /** Shows a view with its title. */
        show({ view, title: text, content: shown, isNew }) {
            for (const [name, anchor] of anchors) {
                if (name === view) anchor.setAttribute("aria-current", "page");
                else anchor.removeAttribute("aria-current");
            }
            nameView(text);
            title.textContent = text;
            if (!isNew) return;
            announce("");
            fill(content, shown);
        },
    };
}
