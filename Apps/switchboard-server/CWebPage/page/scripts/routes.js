// Routes in the fragment of the address, such as `#/contacts/k3v9` or `#/contacts?q=ana`.

const views = ["find", "contacts", "prospects", "airports", "activity", "settings"];

/** Parses a fragment into `{view, parts, query}`. Unknown views become the first one; the query is null if there is none. */
export function route(hash = location.hash) {
    const [place, parameters] = hash.replace(/^#\/?/, "").split("?", 2);
    const parts = place.split("/").filter((part) => part !== "").map(decoded);
    const view = parts.shift() ?? "";
    const query = new URLSearchParams(parameters).get("q");
    return views.includes(view) ? { view, parts, query } : { view: views[0], parts: [], query: null };
}

/** Puts what is searched for into the address, so that a bookmark and going back lead to the same results. */
export function keepQuery(query) {
    const [place] = location.hash.split("?");
    const wanted = query === "" ? place : `${place}?q=${encodeURIComponent(query)}`;
    if (wanted !== location.hash) history.replaceState(history.state, "", wanted);
}

/** Returns the fragment of a route. */
export function address(...parts) {
    return "#/" + parts.map(encodeURIComponent).join("/");
}

/** Navigates to a route. */
export function go(...parts) {
    location.hash = address(...parts);
}

/** Navigates to a route and replaces the current history entry. */
export function goInstead(...parts) {
    location.replace(address(...parts));
}

/** The results from which the open detail was chosen, in another view. */
let origin = null;

addEventListener("hashchange", ({ oldURL }) => {
    const before = new URL(oldURL).hash;
    const [from, to] = [route(before), route()];
    if (to.parts.length === 0) origin = null;
    else if (from.view !== to.view) origin = from.view === "find" ? before : null;
});

/** Returns the fragment of where a detail was opened: the results of Find, or else its own view. */
export function backAddress(...home) {
    return origin ?? address(...home);
}

/** Returns the fragment for a `switchboard://…` URL, or null. */
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
