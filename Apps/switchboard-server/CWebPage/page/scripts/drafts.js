// Unsaved text of forms, kept in the storage of the tab so that it survives navigation, a reload and an expired session.

import { signedIn } from "./session.js";

const prefix = "draft ";
const name = (key) => `${prefix}${signedIn()?.person ?? ""} ${key}`;

/** Returns the draft of a form, or null. */
export function draftOf(key) {
    try {
        return JSON.parse(sessionStorage.getItem(name(key)));
    } catch {
        return null;
    }
}

export function keepDraft(key, draft) {
    try {
        sessionStorage.setItem(name(key), JSON.stringify(draft));
    } catch {
        // The storage is full or disabled. The form still has the text.
    }
}

export function dropDraft(key) {
    sessionStorage.removeItem(name(key));
}

/** Removes the drafts of everyone, or of everyone else. */
export function dropDrafts({ exceptOwn = false } = {}) {
    const own = name("");
    for (const key of Object.keys(sessionStorage)) {
        if (key.startsWith(prefix) && !(exceptOwn && key.startsWith(own))) sessionStorage.removeItem(key);
    }
}
