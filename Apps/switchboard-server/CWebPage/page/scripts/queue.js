// Changes that were made while the server could not be reached. They are kept in the browser, in their order, until they are sent.

let owner = null;
let changes = [];
let whenChanged = () => {};
const name = () => `queue of ${owner}`;

const newName = () => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;

/** The name of this page with its person, under which it holds a lock until it ends or the person changes. */
let page = null;
let letGo = () => {};

/**
 * Loads the changes of a person; null for none. `listener` is called after each change of the queue, with true if changes were released.
 */
export function openQueue(person, listener) {
    if (person !== owner) {
        letGo();
        page = newName();
        const life = new Promise((resolve) => { letGo = resolve; });
        // Now, because other pages must not get the lock once a change is held.
        if (person !== null) navigator.locks?.request(page, () => life);
    }
    owner = person;
    whenChanged = listener;
    read();
    whenChanged();
    watchPages();
}

/** Reads the queue again, because other tabs change it, too. */
function read() {
    try {
        changes = owner === null ? [] : JSON.parse(localStorage.getItem(name())) ?? [];
    } catch {
        changes = [];
    }
}

addEventListener("storage", (event) => {
    if (owner === null || event.key !== name()) return;
    read();
    whenChanged();
    if (navigator.locks) watchPages();
});

const watched = new Set();

/** Waits for the end of the other pages that hold changes, and releases those. Without locks, no change can be undone once it is held. */
function watchPages() {
    for (const { page: other } of changes) {
        if (!other || other === page || watched.has(other)) continue;
        watched.add(other);
        const free = () => {
            watched.delete(other);
            release(({ page }) => page === other);
        };
        if (navigator.locks) navigator.locks.request(other, free);
        else free();
    }
}

function write(isReleased = false) {
    if (owner === null) return;
    if (changes.length === 0) localStorage.removeItem(name());
    else localStorage.setItem(name(), JSON.stringify(changes));
    whenChanged(isReleased);
}

/** Returns the changes to send, oldest first: `{key, what, method, path, json, headers, failure}`. */
export function waiting() {
    return changes.filter((change) => !change.page);
}

/** Adds a change. Returns its key, or null if the browser cannot keep it. */
export function hold(change) {
    if (owner === null) return null;
    const key = newName();
    read();
    changes.push({ ...change, key });
    try {
        write();
        return key;
    } catch {
        // The storage is full or disabled.
        changes.pop();
        return null;
    }
}

/** Adds a change that is not sent while this page lives, unless it is released. Returns its key, or null if the browser cannot keep it. */
export function holdForPage(change) {
    return hold({ ...change, page });
}

/** Lets changes be sent that were held for a page. */
export function release(isMeant) {
    read();
    changes = changes.map((change) => (isMeant(change) ? { ...change, page: undefined } : change));
    write(true);
}

/** Removes a change that was sent, undone or discarded; null for none. */
export function drop(key) {
    if (key === null) return;
    read();
    changes = changes.filter((change) => change.key !== key);
    write();
}

/** Returns whether a change can wait after a response with a status, 0 for none, such as that of an expired session. */
export function isForLater(status) {
    return status === 0 || status === 401 || status === 429 || status >= 500;
}

/** Notes why the server refused a change, or that it may be sent again. */
export function markFailure(key, failure) {
    read();
    changes = changes.map((change) => (change.key === key ? { ...change, failure, headers: failure ? change.headers : {} } : change));
    write();
}

const collections = {
    contact: "contacts", prospect: "prospects", item: "index/items", activity: "activities", reminder: "reminders", access: "access", token: "tokens",
};

/** Returns the kind of a row or object in a response. */
function kindOf(row) {
    return row.kind ?? Object.keys(collections).find((kind) => row[kind] !== null && typeof row[kind] === "object")
        ?? (row.dueAt ? "reminder" : row.what ? "access" : row.scopes ? "token" : null);
}

/** Shows a change in a row or object of a response. Returns whether it is still there. */
function shows(change, row, isThere) {
    const kind = kindOf(row);
    const own = `/v1/${collections[kind]}/${encodeURIComponent(row.id ?? row.what)}`;
    if (change.path === own && change.method === "DELETE") return false;
    if (change.path === `${own}/restore`) return true;
    if (change.path === own) Object.assign(row[kind] ?? row, change.json);
    if (kind !== "reminder") return isThere;
    const prospect = `/v1/prospects/${encodeURIComponent(row.prospect)}`;
    if (change.path === prospect && (change.method === "DELETE" || change.json?.contacted)) return false;
    if (change.path === `${prospect}/reminder`) row.dueAt = change.json.at;
    return isThere;
}

/** Shows the waiting changes in the response of a path: changed members have their new values, and removed objects are left out. */
export function overlay(answer, path) {
    if (answer === null || typeof answer !== "object") return answer;
    const sent = waiting();
    for (const change of sent) {
        if (change.method === "PUT" && change.path === path) Object.assign(answer.me ?? answer, change.json);
    }
    const isThere = (row) => sent.reduce((is, change) => shows(change, row, is), true);
    if (Array.isArray(answer.results)) answer.results = answer.results.filter(isThere);
    else isThere(answer);
    return answer;
}
