// The session. The browser keeps a cookie that scripts cannot read; the token is not stored.

import { beginEnding, finishEnding, forgetData, isEnding } from "./offline.js";
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

/** The interval in milliseconds at which a session that has to end is tried to end. */
const endingInterval = 20_000;

let finishing = null;

/** Ends the session of someone who has signed out, unless it has ended. It must not be used before. */
function finishSignOut() {
    // A late response to a second request would remove the cookie of the next session.
    finishing ??= endSession().finally(() => { finishing = null; });
    return finishing;
}

async function endSession() {
    if (!isEnding()) return;
    try {
        await remove("/v1/session", { isProbe: true });
    } catch (error) {
        // It has ended already.
        if (error.status !== 401) throw error;
    }
    await finishEnding();
}

const trySignOut = () => finishSignOut().catch(() => {});
addEventListener("online", trySignOut);
setInterval(trySignOut, endingInterval);

/** Loads the current session from the server. */
export async function resume() {
    await finishSignOut();
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
    await finishSignOut();
    await post("/v1/session", { isProbe: true, headers: { Authorization: `Bearer ${token}` } });
    return resume();
}

/** Signs in with a pairing code. */
export async function pair(code) {
    await post("/v1/session", { isProbe: true, json: { code } });
    return resume();
}

/** Signs out. The data is removed at once; without the server, the session ends as soon as it can be reached. */
export async function signOut() {
    await beginEnding();
    current = null;
    await forgetData();
    await trySignOut();
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
