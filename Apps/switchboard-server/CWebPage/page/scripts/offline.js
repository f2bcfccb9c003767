// The service worker, which starts the page offline with the last data seen, and that data.

import { note } from "./messages.js";
import { texts } from "./texts.js";

/** The name of the cache of responses, as in worker.js. */
const dataCache = "data";

/** Installs the service worker after the first list, so that they do not share a slow line, and then calls a closure. */
export function installWorker(then) {
    if (!("serviceWorker" in navigator)) return;
    const address = globalThis.trustedTypes?.createPolicy("worker", { createScriptURL: () => "/worker.js" }).createScriptURL("") ?? "/worker.js";
    const wasControlled = navigator.serviceWorker.controller !== null;
    setTimeout(() => {
        navigator.serviceWorker.register(address)?.then(then).catch(() => {
            // The page works without it, but not offline, and without reminders while it is closed.
        });
    }, 3000);
    navigator.serviceWorker.addEventListener("message", ({ data }) => {
        if (typeof data?.open === "string" && data.open.startsWith("#/")) location.hash = data.open;
    });
    navigator.serviceWorker.addEventListener("controllerchange", () => {
        if (wasControlled) note(texts.updated, [{ label: texts.reload, act: () => location.reload() }]);
    });
}

/** Calls a closure that loads what was last seen, to show it until the server responds. Without such data, nothing happens. */
export async function whatWasSeen(show) {
    if (!navigator.serviceWorker?.controller) return;
    try {
        await show();
    } catch {
        // The response of the server follows, or its error.
    }
}

/** The lists of people, in the order in which the views show them, and the number of rows of a page. */
const peopleLists = { contacts: {}, prospects: { filter: "everyone", sort: "recent" } };
const pageOfRows = 100;
/** The maximum number of people that are kept of a list. */
const maximumPeople = 5_000;

/** Lets the service worker keep the lists of people, so that they can be searched without the server. Not where data is dear. */
export async function keepPeople(mayRead, load) {
    const { saveData, effectiveType } = navigator.connection ?? {};
    if (!navigator.serviceWorker?.controller || saveData || (effectiveType && effectiveType !== "4g")) return;
    try {
        for (const [domain, parameters] of Object.entries(peopleLists)) {
            let total = mayRead(domain) ? maximumPeople : 0;
            for (let cursor = 0; cursor < Math.min(total, maximumPeople); cursor += pageOfRows) {
                ({ total } = await load(domain, { ...parameters, cursor, limit: pageOfRows }));
            }
        }
    } catch {
        // What was kept so far can be searched.
    }
}

/** Removes the data that belongs to a session. The browser receives no more reminders. */
export async function forgetData() {
    localStorage.removeItem("session");
    await globalThis.caches?.delete(dataCache).catch(() => {});
    const registration = await navigator.serviceWorker?.getRegistration().catch(() => null);
    const subscription = await registration?.pushManager?.getSubscription().catch(() => null);
    await subscription?.unsubscribe().catch(() => {});
}

/** The mark of a session that has to end as soon as the server can be reached: a key of the storage and, for the service worker, a cache. */
const ending = "ending";

/** Returns whether someone has signed out whose session has not ended. */
export function isEnding() {
    return localStorage.getItem(ending) !== null;
}

/** Notes that the session has to end. The service worker does so even if the page is closed, in browsers that let it. */
export async function beginEnding() {
    localStorage.setItem(ending, "1");
    if (!globalThis.caches) return;
    await caches.open(ending);
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.sync?.register(ending).catch(() => {});
}

/** Notes that the session has ended. */
export async function finishEnding() {
    localStorage.removeItem(ending);
    await globalThis.caches?.delete(ending);
}
