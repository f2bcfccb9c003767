// The entry point: the frame, the session and the current view.

import { element, fill } from "./elements.js";
import { confirm } from "./dialogs.js";
import { dropDrafts } from "./drafts.js";
import { followDue, forgetDue } from "./due.js";
import { followChanges, stopFollowing } from "./events.js";
import { UserError } from "./errors.js";
import { frame } from "./frame.js";
import { globalKeys, openCommands } from "./keys.js";
import { later } from "./later.js";
import { clearError, clearErrorOfElsewhere, endNotices, fail } from "./messages.js";
import { installWorker, keepPeople } from "./offline.js";
import { renewPush } from "./push.js";
import { get, onSignedOut, path } from "./requests.js";
import { address, goInstead, route } from "./routes.js";
import { forget, may, pair, remembered, resume, signedIn, removePairingCode } from "./session.js";
import { texts } from "./texts.js";
import { activityView } from "./views/activity.js";
import { airportsView } from "./views/airports.js";
import { contactsView } from "./views/contacts.js";
import { findView } from "./views/find.js";
import { prospectsView } from "./views/prospects.js";
import { signInView } from "./views/sign-in.js";
import { showUpcoming } from "./upcoming.js";
import { followQueue } from "./waiting.js";

/** The Settings view, which is loaded when it is first shown. */
function settingsView() {
    let view = null;
    const whole = element("div");
    return {
        element: whole,
        async show(parts, isNew) {
            view ??= (await later(import("./views/settings.js"))).settingsView();
            if (!whole.contains(view.element)) fill(whole, view.element);
            return view.show(parts, isNew);
        },
    };
}

const makers = {
    find: findView, contacts: contactsView, prospects: prospectsView, airports: airportsView, activity: activityView, settings: settingsView,
};
const views = new Map();
const page = frame(Object.keys(makers).map((view) => ({ view, href: address(view), name: texts.views[view] })), () => openCommands(Object.keys(makers)));
let shown = null;
/** The scroll positions of the views that were left. */
const scrolled = new Map();
/** The domains of data that a view needs one of. Other views are for everyone. */
const domains = {
    find: ["contacts", "prospects", "airports", "index"], contacts: ["contacts"], prospects: ["prospects"], activity: ["activities", "index"],
};
const isPermitted = (view) => !signedIn() || !domains[view] || domains[view].some((domain) => may("read", domain));

/** Shows the view of the address. Views keep their state, so that going back restores the search and scroll position. */
function show() {
    const asked = route();
    const { view, parts } = isPermitted(asked.view) ? asked : { view: "settings", parts: [] };
    const isPublic = view === "airports";
    const name = signedIn() || isPublic ? view : "signIn";
    if (!views.has(name)) views.set(name, name === "signIn" ? signInView(start) : makers[view]());
    const next = views.get(name);
    const isNew = next !== shown;
    // Navigation closes dialogs.
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    clearErrorOfElsewhere();
    if (isNew) {
        clearError();
        scrolled.set(shown, scrollY);
        shown?.leave?.();
    }
    shown = next;
    page.show({ view, title: name === "signIn" ? texts.signIn.title : texts.views[view], content: next.element, isNew });
    if (isNew) scrollTo(0, 0);
    next.search?.follow();
    Promise.resolve(next.show(parts, isNew)).then(() => {
        // Not if someone has scrolled meanwhile.
        if (isNew && shown === next && parts.length === 0 && scrollY === 0) scrollTo(0, scrolled.get(next) ?? 0);
        // After the list, which comes first on a slow line.
        if (shown === next && signedIn()) return showUpcoming();
    }).catch(fail);
}

/** Restarts the page without any state of a previous session. */
function start() {
    shown?.leave?.();
    views.clear();
    shown = null;
    stopFollowing();
    forgetDue();
    page.permit(isPermitted);
    followQueue(signedIn()?.person ?? null);
    if (signedIn()) {
        dropDrafts({ exceptOwn: true });
        followDue();
    }
    if (signedIn()) followChanges((changed) => Promise.resolve(shown?.refresh?.(changed)).then(showUpcoming).catch(fail));
    show();
}

/** The time in milliseconds after the start from which on the page loads what it does not show. */
const quietTime = 15_000;

async function begin() {
    document.body.append(element("a", { class: "skip", href: "#content", onclick: page.skip }, texts.skip), page.element);
    onSignedOut(() => {
        if (!signedIn()) return;
        endNotices();
        forget();
        start();
    });
    addEventListener("hashchange", () => {
        if (location.hash.startsWith("#pair=")) arrive();
        else show();
    });
    addEventListener("signedout", () => {
        dropDrafts();
        start();
    });
    // Another tab has signed in or out.
    addEventListener("storage", ({ key }) => {
        const before = signedIn()?.person;
        if (key !== "session" || remembered()?.person === before) return;
        endNotices();
        dropDrafts();
        start();
    });
    globalKeys(Object.keys(makers));
    installWorker(renewPush);
    setTimeout(() => {
        if (signedIn()) keepPeople((domain) => may("read", domain), (domain, parameters) => get(path([domain], parameters)));
    }, quietTime);
    await arrive();
}

/** Signs in with the pairing code of the address or resumes the session, then shows the view. */
async function arrive() {
    const code = removePairingCode();
    if (code === null && remembered() !== null) {
        await startAgain();
        return;
    }
    let failure = null;
    try {
        if (code === null || !(await mayPair())) await resume();
        else await pair(code);
    } catch (error) {
        failure = code !== null && error.status !== 0 ? new UserError(texts.errors.pairing) : error;
        if (code !== null) await resume().catch(() => {});
    }
    if (location.hash === "") goInstead("find");
    start();
    if (failure !== null) fail(failure);
}

/** Starts with the session of the last visit, and again if it is no longer that of the server. */
async function startAgain() {
    if (location.hash === "") goInstead("find");
    const before = JSON.stringify(signedIn());
    start();
    try {
        if (JSON.stringify(await resume()) !== before) start();
    } catch (error) {
        fail(error);
    }
}

/** Asks before a pairing code replaces the session, which may be that of another person. */
async function mayPair() {
    const session = await resume();
    return session === null || await confirm(texts.pairing.title, texts.pairing.text(session.person), texts.pairing.yes, texts.pairing.no) === true;
}

begin();
