// Going on with something: an item that was found, or an activity that was begun here or on another device.

import { element } from "./elements.js";
import { icon } from "./icons.js";
import { safeAddress } from "./links.js";
import { fail } from "./messages.js";
import { path, post } from "./requests.js";
import { address, go } from "./routes.js";
import { rowContent } from "./rows.js";
import { texts } from "./texts.js";

/** Opens an item: where its app said it is, else what is known of it. The server is told with which words it was found. */
export async function openItem(result, query = "") {
    const target = safeAddress(result.item?.url);
    const engaged = post(path(["index", "items", result.id, "engage"]), { json: { query }, keepalive: true });
    if (target === null || target.startsWith("#")) {
        if (target === null) go("activity", "item", result.id);
        else location.hash = target;
    } else {
        // At once, within the tap or key: a browser would block a window that opens only when the server has answered.
        open(target, "_blank", "noopener,noreferrer");
    }
    await engaged;
}

/** Goes on with an activity. */
export async function goOnWith(result, query = "") {
    const url = result.activity?.webpageURL;
    const target = safeAddress(url);
    const engaged = post(path(["activities", result.id, "engage"]), { json: { query }, keepalive: true });
    if (target !== null && !target.startsWith("#")) {
        open(target, "_blank", "noopener,noreferrer");
        await engaged;
        return;
    }
    const answer = await engaged;
    const place = safeAddress(answer?.open);
    if (place === null || place === location.hash) go("activity", "doing", result.id);
    else if (place.startsWith("#")) location.hash = place;
    else location.assign(place);
}

/** A row that goes on with an activity. */
export function goOn(result) {
    return element("a", {
        class: "row", href: address("activity", "doing", result.id), onclick: (event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            goOnWith(result).catch(fail);
        },
    }, rowContent(result, { subtitle: subtitle(result) }), element("span", { class: "row-action" }, texts.activity.go, icon("go")));
}

/** What an activity is about, rather than the name of its type. */
export function subtitle(result) {
    const url = result.activity?.webpageURL;
    if (!url) return result.subtitle;
    try {
        return new URL(url).host || result.subtitle;
    } catch {
        return result.subtitle;
    }
}
