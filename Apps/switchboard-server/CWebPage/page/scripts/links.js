// Addresses that come from elsewhere. Only those of the web and our own are followed: `javascript:` and its like are shown, never linked.

import { addressOf } from "./routes.js";
import { element } from "./elements.js";

/** What may be put into a link: an address of the web, a place of this page, or null. */
export function safeAddress(url) {
    if (typeof url !== "string") return null;
    if (url.startsWith("switchboard://")) return addressOf(url);
    let parsed;
    try {
        parsed = new URL(url);
    } catch {
        return null;
    }
    return parsed.protocol === "https:" || parsed.protocol === "http:" ? parsed.href : null;
}

/** A link to an address if it may be followed, else its text. */
export function link(url, properties = {}, ...children) {
    const target = safeAddress(url);
    const content = children.length > 0 ? children : [url];
    if (target === null) return element("span", { class: properties.class }, content);
    const leavesPage = !target.startsWith("#");
    return element("a", {
        href: target, target: leavesPage ? "_blank" : null, rel: leavesPage ? "noopener noreferrer" : null, ...properties,
    }, content);
}

/** The address that dials a number: digits and a leading plus alone. */
export function telephone(phone) {
    const digits = (phone.e164 || phone.number || "").replace(/[^+0-9*#]/g, "");
    return digits === "" ? null : `tel:${digits.replace(/#/g, "%23")}`;
}

/** The address that writes to somebody. */
export function mailbox(email) {
    return `mailto:${encodeURIComponent(email).replace(/%40/g, "@")}`;
}
