// Changes that were made while the server could not be reached. They are kept in the browser, in their order, until they are sent.

let owner = null;
let changes = [];
let whenChanged = () => {};
const name = () => `queue of ${owner}`;

/** Loads the changes of a person; null for none. `listener` is called after each change of the queue. */
export function openQueue(person, listener) {
    owner = person;
    whenChanged = listener;
    read();
    whenChanged();
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
});

function write() {
    if (owner === null) return;
    if (changes.length === 0) localStorage.removeItem(name());
    else localStorage.setItem(name(), JSON.stringify(changes));
    whenChanged();
}

/** Returns the changes, oldest first: `{key, what, method, path, json, headers, failure}`. */
export function waiting() {
    return changes;
}

/** Adds a change. Returns its key, or null if the browser cannot keep it. */
export function hold(change) {
    if (owner === null) return null;
    const key = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
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

/** Removes a change that was sent or discarded. */
export function drop(key) {
    read();
    changes = changes.filter((change) => change.key !== key);
    write();
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
    for (const change of changes) {
        if (change.method === "PUT" && change.path === path) Object.assign(answer.me ?? answer, change.json);
    }
    const isThere = (row) => changes.reduce((is, change) => shows(change, row, is), true);
    if (Array.isArray(answer.results)) answer.results = answer.results.filter(isThere);
    else isThere(answer);
    return answer;
}
