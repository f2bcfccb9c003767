// Keeping the page on the home screen: browsers that can offer it say so once, and may then be asked.

import { element } from "./elements.js";
import { fail } from "./messages.js";
import { texts } from "./texts.js";

let offer = null;

addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offer = event;
});

/** A button that installs the page, or nothing where the browser does not offer it. */
export function installButton() {
    if (offer === null) return null;
    const button = element("button", {
        type: "button", class: "button", onclick: () => {
            offer.prompt().catch(fail);
            offer = null;
            button.remove();
        },
    }, texts.settings.installButton);
    return button;
}
