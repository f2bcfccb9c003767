// Installing the page as an app, in browsers that offer it.

import { element } from "./elements.js";
import { fail } from "./messages.js";
import { texts } from "./texts.js";

let offer = null;

addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offer = event;
});

/** Returns a button that installs the page, or null if the browser does not offer it. */
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
