// Where one is: the fragment of the address, such as `#/contacts/k3v9`. Every place can be linked to, gone back to and kept.

const views = ["find", "contacts", "prospects", "airports", "activity", "settings"];

/** The place of an address: `{view, parts}`. What is unknown is the first view. */
export function route(hash = location.hash) {
    const parts = hash.replace(/^#\/?/, "").split("/").filter((part) => part !== "").map(decoded);
    const view = parts.shift() ?? "";
    return views.includes(view) ? { view, parts } : { view: views[0], parts: [] };
}

/** The address of a place. */
export function address(...parts) {
    return "#/" + parts.map(encodeURIComponent).join("/");
}

/** Goes to a place. */
export function go(...parts) {
    location.hash = address(...parts);
}

/** Goes to a place instead of this one, which "back" then skips. */
export function goInstead(...parts) {
    location.replace(address(...parts));
}

/** The place in this page that an address `switchboard://…` means, or null. */
export function addressOf(url) {
    const match = /^switchboard:\/\/([a-z]+)\/([^?#]+)/.exec(url);
    if (!match) return null;
    const id = decoded(match[2]);
    switch (match[1]) {
    case "contact": return address("contacts", id);
    case "prospect": return address("prospects", id);
    case "airport": return address("airports", id);
    case "item": return address("activity", "item", id);
    case "activity": return address("activity", "doing", id);
    case "find": return address("find", id);
    default: return null;
    }
}

function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}
