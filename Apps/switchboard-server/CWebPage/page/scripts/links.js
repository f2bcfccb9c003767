// Links to untrusted URLs. Only http(s) and switchboard:// are linked; others, such as `javascript:`, are shown as text.

import { addressOf } from "./routes.js";
import { element } from "./elements.js";

/** Returns a URL that is safe to link to, a fragment of this page, or null. */
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

/** Returns a link to a safe URL, or its text. */
export function link(url, properties = {}, ...children) {
    const target = safeAddress(url);
    const content = children.length > 0 ? children : [url];
    if (target === null) return element("span", { class: properties.class }, content);
    const leavesPage = !target.startsWith("#");
    return element("a", {
        href: target, target: leavesPage ? "_blank" : null, rel: leavesPage ? "noopener noreferrer" : null, ...properties,
    }, content);
}

/** Returns the tel: URL of a phone number, or null. */
export function telephone(phone) {
    const digits = (phone.e164 || phone.number || "").replace(/[^+0-9*#]/g, "");
    return digits === "" ? null : `tel:${digits.replace(/#/g, "%23")}`;
}

/** Returns the mailto: URL of an e-mail address. */
export function mailbox(email) {
    return `mailto:${encodeURIComponent(email).replace(/%40/g, "@")}`;
}
