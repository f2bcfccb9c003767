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

/** Adds a change. Returns false if the browser cannot keep it. */
export function hold(change) {
    if (owner === null) return false;
    read();
    changes.push({ ...change, key: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}` });
    try {
        write();
        return true;
    } catch {
        // The storage is full or disabled.
        changes.pop();
        return false;
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

/** Shows the waiting changes in a response: changed members have their new values, and removed objects are left out. */
export function overlay(answer) {
    if (changes.length === 0 || answer === null || typeof answer !== "object") return answer;
    const ends = (change, id) => id !== undefined && change.path.split("/").at(-1) === encodeURIComponent(id);
    const apply = (row) => {
        const object = row[row.kind] ?? row.contact ?? row.prospect;
        for (const change of changes) {
            if (object && change.method === "PATCH" && ends(change, object.id ?? row.id)) Object.assign(object, change.json);
        }
    };
    if (Array.isArray(answer.results)) {
        answer.results = answer.results.filter((row) => !changes.some((change) => change.method === "DELETE" && ends(change, row.id)));
        answer.results.forEach(apply);
    } else {
        apply(answer);
    }
    return answer;
}
