// The page: its frame, who is signed in, and which view is shown.

import { element } from "./elements.js";
import { frame } from "./frame.js";
import { clearFailure, endNotice, fail } from "./messages.js";
import { followChanges, stopFollowing } from "./events.js";
import { globalKeys } from "./keys.js";
import { onSignedOut } from "./requests.js";
import { address, goInstead, route } from "./routes.js";
import { forget, pair, resume, signedIn, takePairingCode } from "./session.js";
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

/** Shows the view of the address. Views stay as they were left, so that going back finds the search and the place in the list. */
function show() {
    const { view, parts } = route();
    const isPublic = view === "airports";
    const name = signedIn() || isPublic ? view : "signIn";
    if (!views.has(name)) views.set(name, name === "signIn" ? signInView(start) : makers[view]());
    const next = views.get(name);
    const isNew = next !== shown;
    if (isNew) {
        clearFailure();
        shown?.leave?.();
    }
    shown = next;
    page.show({ view, title: name === "signIn" ? texts.signIn.title : texts.views[view], content: next.element, isNew });
    Promise.resolve(next.show(parts, isNew)).catch(fail);
}

/** Begins anew: nobody signed in before may leave anything behind. */
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
    const code = takePairingCode();
    try {
        if (code !== null) await pair(code);
        else await resume();
    } catch (error) {
        if (error.status === 0) fail(error);
        else fail(new Error(code === null ? error.message : texts.errors.pairing));
        if (code !== null) await resume().catch(() => {});
    }
    addEventListener("hashchange", () => {
        const late = takePairingCode();
        if (late === null) show();
        else pair(late).then(start, () => fail(new Error(texts.errors.pairing)));
    });
    addEventListener("signedout", start);
    globalKeys(Object.keys(makers));
    if (location.hash === "") goInstead("find");
    start();
}

begin();
