// The entry point: the frame, the session and the current view.

import { element } from "./elements.js";
import { followChanges, stopFollowing } from "./events.js";
import { UserError } from "./errors.js";
import { frame } from "./frame.js";
import { globalKeys } from "./keys.js";
import { clearError, endNotice, fail } from "./messages.js";
import { onSignedOut } from "./requests.js";
import { address, goInstead, route } from "./routes.js";
import { forget, pair, resume, signedIn, removePairingCode } from "./session.js";
import { texts } from "./texts.js";
import { activityView } from "./views/activity.js";
import { airportsView } from "./views/airports.js";
import { contactsView } from "./views/contacts.js";
import { findView } from "./views/find.js";
import { prospectsView } from "./views/prospects.js";
import { settingsView } from "./views/settings.js";
import { signInView } from "./views/sign-in.js";

const makers = {
    find: findView, contacts: contactsView, prospects: prospectsView, airports: airportsView, activity: activityView, settings: settingsView,
};
const views = new Map();
const page = frame(Object.keys(makers).map((view) => ({ view, href: address(view), name: texts.views[view] })));
let shown = null;

/** Shows the view of the address. Views keep their state, so that going back restores the search and scroll position. */
function show() {
    const { view, parts } = route();
    const isPublic = view === "airports";
    const name = signedIn() || isPublic ? view : "signIn";
    if (!views.has(name)) views.set(name, name === "signIn" ? signInView(start) : makers[view]());
    const next = views.get(name);
    const isNew = next !== shown;
    // Navigation closes dialogs.
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    if (isNew) {
        clearError();
        shown?.leave?.();
    }
    shown = next;
    page.show({ view, title: name === "signIn" ? texts.signIn.title : texts.views[view], content: next.element, isNew });
    Promise.resolve(next.show(parts, isNew)).catch(fail);
}

/** Restarts the page without any state of a previous session. */
function start() {
    shown?.leave?.();
    views.clear();
    shown = null;
    stopFollowing();
    if (signedIn()) followChanges((changed) => Promise.resolve(shown?.refresh?.(changed)).catch(fail));
    show();
}

async function begin() {
    document.body.append(element("a", { class: "skip", href: "#content", onclick: page.skip }, texts.skip), page.element);
    onSignedOut(() => {
        if (!signedIn()) return;
        endNotice();
        forget();
        start();
    });
    addEventListener("hashchange", () => {
        if (location.hash.startsWith("#pair=")) arrive();
        else show();
    });
    addEventListener("signedout", start);
    globalKeys(Object.keys(makers));
    await arrive();
}

/** Signs in with the pairing code of the address or resumes the session, then shows the view. */
async function arrive() {
    const code = removePairingCode();
    let failure = null;
    try {
        if (code !== null) await pair(code);
        else await resume();
    } catch (error) {
        failure = code !== null && error.status !== 0 ? new UserError(texts.errors.pairing) : error;
        if (code !== null) await resume().catch(() => {});
    }
    if (location.hash === "") goInstead("find");
    start();
    if (failure !== null) fail(failure);
}

begin();
