// Who is signed in. The browser keeps a cookie that scripts cannot read; the token itself is kept nowhere.

import { get, post, remove } from "./requests.js";

/** The person signed in and what they may do, or null: `{person, scopes}`. */
let current = null;

export function signedIn() {
    return current;
}

/** Asks the server who is signed in. */
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

/** Signs in with the code that `pair` showed, which works once. */
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

/** The code in an address that `pair` made, taken out of it so that it stays in no history. */
export function takePairingCode() {
    const match = /^#pair=([A-Za-z0-9._~-]+)$/.exec(location.hash);
    if (!match) return null;
    history.replaceState(null, "", location.pathname);
    return match[1];
}
