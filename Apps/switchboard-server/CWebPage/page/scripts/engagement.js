// Opening items and continuing activities.

import { element } from "./elements.js";
import { icon } from "./icons.js";
import { safeAddress } from "./links.js";
import { fail } from "./messages.js";
import { path, post } from "./requests.js";
import { address, go } from "./routes.js";
import { rowContent } from "./rows.js";
import { may } from "./session.js";
import { texts } from "./texts.js";

/** Records that a result was chosen for a query, so that it comes first the next time. Failing does not disturb. */
export function recordChoice(result, query, { isKeypad = false } = {}) {
    if (!query || !may("write", "activities")) return;
    const { kind, id, index } = result;
    post("/v1/choices", { json: { kind, id, index, [isKeypad ? "keypad" : "q"]: query }, keepalive: true }).catch(() => {});
}

/** Opens the link of an item, or its details. Reports the engagement and the query to the server. */
export async function openItem(result, query = "") {
    const target = safeAddress(result.item?.url);
    recordChoice(result, query);
    const engaged = post(path(["index", "items", result.id, "engage"]), { json: { query }, keepalive: true });
    if (target === null || target.startsWith("#")) {
        if (target === null) go("activity", "item", result.id);
        else location.hash = target;
    } else {
        // Open the window within the user's gesture; otherwise the browser would block it.
        open(target, "_blank", "noopener,noreferrer");
    }
    await engaged;
}

/** Continues an activity. */
export async function continueActivity(result, query = "") {
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

/** Returns a row that continues an activity. */
export function activityRow(result) {
    return element("a", {
        class: "row", href: address("activity", "doing", result.id), onclick: (event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            continueActivity(result).catch(fail);
        },
    }, rowContent(result, { subtitle: subtitle(result) }), element("span", { class: "row-action" }, texts.activity.go, icon("go")));
}

/** Returns the host of an activity's page, or its subtitle. */
export function subtitle(result) {
    const url = result.activity?.webpageURL;
    if (!url) return result.subtitle;
    try {
        return new URL(url).host || result.subtitle;
    } catch {
        return result.subtitle;
    }
}
