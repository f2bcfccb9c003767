// The session. The browser keeps a cookie that scripts cannot read; the token is not stored.

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

/** Loads the current session from the server. */
export async function resume() {
    try {
        current = await get("/v1/session", { isProbe: true });
    } catch (error) {
        if (error.status !== 401) throw error;
        current = null;
    }
    return current;
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
}

export function forget() {
    current = null;
}

/** Returns the pairing code of the address and removes it from the address and the history. */
export function removePairingCode() {
    const match = /^#pair=([A-Za-z0-9._~-]+)$/.exec(location.hash);
    if (!match) return null;
    history.replaceState(null, "", location.pathname);
    return match[1];
}
