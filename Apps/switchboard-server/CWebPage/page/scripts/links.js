// Links to untrusted URLs. Only http(s) and switchboard:// are linked; others, such as `javascript:`, are shown as text.

import { addressOf } from "./routes.js";
import { element } from "./elements.js";
import { UserError } from "./errors.js";
import { texts } from "./texts.js";

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

/**
 * Returns the tel: URI that dials a number with its codes, pauses and extension (RFC 3966), or null without a digit. The
 * programs have the same rules in TelephoneURI; Tests/Support/telephone-uris.tsv checks both.
 */
export function telephone({ e164, number }) {
    const typed = withoutSeparators(number);
    // The first pause sign, if only keys and pauses follow.
    const pause = typed.match(/^.[^,;pw]*([,;pw][0-9*#,;pw]*)$/u)?.[1].match(/.*[0-9*#].*/)?.[0] ?? "";
    const [, start, extension] = typed.match(/^(.*?)(?:extension|extn?|x)([0-9]+)$/) ?? [];
    const main = e164 ?? start ?? typed.slice(0, typed.length - pause.length);
    if (!/[0-9]/.test(main)) return null;
    const isVanity = /^[0-9*#+a-z]*$/.test(main);
    const keys = [...main].map((sign) => (/[0-9*#+]/.test(sign) ? sign : isVanity ? keyOf(sign) : "")).join("");
    return `tel:${(keys + pause).replace(/[#,;]/g, encodeURIComponent)}${extension ? `;ext=${extension}` : ""}`;
}

/** The text in ASCII digits, letters and signs, without spaces, dashes, dots, slashes and parentheses. */
function withoutSeparators(number) {
    return number.normalize("NFKC").toLowerCase().replace(/[\s\p{C}\p{Pd}\u2212.\/()]/gu, "").replace(/\p{Nd}/gu, (digit) => {
        const point = digit.codePointAt(0);
        const low = point % 16;
        return /\p{Nd}/u.test(String.fromCodePoint(point - low)) ? low : low - 6;
    });
}

const keyOf = (letter) => "22233344455566677778889999"[letter.charCodeAt(0) - 97];

/** Opens a mail to several people, who do not see each other's addresses. Empty addresses are left out. */
export function mailTo(addresses) {
    const known = [...new Set(addresses.filter(Boolean))];
    if (known.length === 0) throw new UserError(texts.errors.noMail);
    location.href = `mailto:?bcc=${known.map((one) => mailbox(one).slice("mailto:".length)).join(",")}`;
}

/** Returns the mailto: URL of an e-mail address. */
export function mailbox(email) {
    return `mailto:${encodeURIComponent(email).replace(/%40/g, "@")}`;
}
