// Access grants: requested when needed, with their purpose, stored by the server, and changed in Settings.

import { confirm } from "./dialogs.js";
import { get, path, put } from "./requests.js";
import { signedIn } from "./session.js";
import { texts } from "./texts.js";

/** Returns the grant for a subject: `{what, status, purpose}`. Without a session it is undetermined. */
export async function accessStatus(what) {
    if (!signedIn()) return { what, status: "notDetermined", purpose: texts.purposes[what] };
    const answer = await get("/v1/access");
    return answer.results.find((grant) => grant.what === what) ?? { what, status: "notDetermined", purpose: texts.purposes[what] };
}

export function setAccess(what, status) {
    return put(path(["access", what]), { json: { status }, queued: texts.queue.access(texts.access.what[what] ?? what, texts.access.status[status]) });
}

/** Requests access unless it is already granted. Returns whether it is granted now. */
export async function ensureAccess(what) {
    const grant = await accessStatus(what);
    if (grant.status === "authorized") return true;
    const agreed = await confirm(texts.access.ask[what], texts.purposes[what] ?? grant.purpose, texts.access.allow, texts.access.notNow);
    if (!agreed) return false;
    if (signedIn()) await setAccess(what, "authorized");
    return true;
}

/** Runs a task that needs a grant. If the server denies access, asks the user and retries. Returns null if denied. */
export async function withAccess(what, task) {
    try {
        return await task();
    } catch (error) {
        if (error.code !== "accessNotGranted") throw error;
    }
    return await ensureAccess(what) ? task() : null;
}
