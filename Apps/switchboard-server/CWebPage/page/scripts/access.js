// What a person must allow first: asked at the moment of need, with the purpose, remembered by the server, and taken back in Settings.

import { confirm } from "./dialogs.js";
import { get, path, put } from "./requests.js";
import { signedIn } from "./session.js";
import { texts } from "./texts.js";

/** What a person has said about something: `{status, purpose}`. Who is not signed in has said nothing. */
export async function accessStatus(what) {
    if (!signedIn()) return { what, status: "notDetermined", purpose: texts.purposes[what] };
    const answer = await get("/v1/access");
    return answer.results.find((grant) => grant.what === what) ?? { what, status: "notDetermined", purpose: texts.purposes[what] };
}

export function setAccess(what, status) {
    return put(path(["access", what]), { json: { status } });
}

/** Asks for something if it was not allowed yet; whether it is now. */
export async function ensureAccess(what) {
    const grant = await accessStatus(what);
    if (grant.status === "authorized") return true;
    const agreed = await confirm(texts.access.ask[what], texts.purposes[what] ?? grant.purpose, texts.access.allow, texts.access.notNow);
    if (!agreed) return false;
    if (signedIn()) await setAccess(what, "authorized");
    return true;
}

/** Does what needs a grant; where the server refuses for want of it, asks and tries once more. Gives null if the person says no. */
export async function withAccess(what, task) {
    try {
        return await task();
    } catch (error) {
        if (error.code !== "accessNotGranted") throw error;
    }
    return await ensureAccess(what) ? task() : null;
}
