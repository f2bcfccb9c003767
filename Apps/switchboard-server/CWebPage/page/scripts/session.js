// The session. The browser keeps a cookie that scripts cannot read; the token is not stored.

import { forgetData } from "./offline.js";
import { get, post, remove } from "./requests.js";

/** The signed-in person with their scopes, `{person, scopes}`, or null. */
let current = null;

export function signedIn() {
    return current;
}

/** Returns whether the scopes of the session permit an access to a domain such as "contacts". */
export function may(use, domain) {
    const scopes = current?.scopes ?? [];
    return ["all", domain, `${domain}:${use}`].some((scope) => scopes.includes(scope)) || (use === "read" && scopes.includes("read"));
}

/** Returns the session of the last visit, so that the page can start before the server answers, or without it. */
export function remembered() {
    try {
        current = JSON.parse(localStorage.getItem("session"));
    } catch {
        current = null;
    }
    return current;
}

/** Loads the current session from the server. */
export async function resume() {
    let session = null;
    try {
        session = await get("/v1/session", { isProbe: true });
    } catch (error) {
        if (error.status !== 401) throw error;
    }
    // Data of another session must not be seen.
    if (session?.person !== known()) await forgetData();
    if (session !== null) localStorage.setItem("session", JSON.stringify(session));
    current = session;
    return current;
}

function known() {
    try {
        return JSON.parse(localStorage.getItem("session"))?.person;
    } catch {
        return undefined;
    }
}

/** Signs in with a token. */
export async function signIn(token) {
    await post("/v1/session", { isProbe: true, headers: { Authorization: `Bearer ${token}` } });
    return resume();
}

/** Signs in with a pairing code. */
export async function pair(code) {
    await post("/v1/session", { isProbe: true, json: { code } });
    return resume();
}

export async function signOut() {
    await remove("/v1/session");
    current = null;
    await forgetData();
}

export function forget() {
    current = null;
    forgetData();
}

/** Returns the pairing code of the address and removes it from the address and the history. */
export function removePairingCode() {
    const match = /^#pair=([A-Za-z0-9._~-]+)$/.exec(location.hash);
    if (!match) return null;
    history.replaceState(null, "", location.pathname);
    return match[1];
}
