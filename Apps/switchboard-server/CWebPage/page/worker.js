// The service worker: starts the page without the server, and keeps the responses that the page has read for the time without it.
// Scripts/page/bundle defines VERSION, which the page and its files determine, and FILES, which are kept.

const version = VERSION;
const files = FILES;

const pageCache = `page ${version}`;
const dataCache = "data";
/** Its existence means that the session has to end as soon as the server can be reached, as in offline.js. */
const endingCache = "ending";
/** The maximum number of responses that are kept. */
const maximumResponses = 300;

addEventListener("install", (event) => {
    event.waitUntil(caches.open(pageCache).then((cache) => cache.addAll(files)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
    event.waitUntil(caches.keys()
        .then((names) => Promise.all(names.filter((name) => name.startsWith("page ") && name !== pageCache).map((name) => caches.delete(name))))
        .then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
    const { request } = event;
    const address = new URL(request.url);
    if (request.method !== "GET" || address.origin !== location.origin) return;
    if (files.includes(address.pathname)) event.respondWith(fromPage(request, address));
    else if (request.mode === "navigate" && address.pathname.startsWith("/v1/")) event.respondWith(fromSession(request));
    else if (isData(request, address)) event.respondWith(request.headers.has("X-Stored") ? fromStore(request) : fromServer(event));
});

addEventListener("sync", (event) => {
    if (event.tag === endingCache) event.waitUntil(endSession());
});

/** Ends the session if someone has signed out while the server could not be reached. */
async function endSession() {
    if (!await caches.has(endingCache)) return;
    const answer = await fetch("/v1/session", { method: "DELETE" });
    if (!answer.ok && answer.status !== 401) throw new TypeError(`status ${answer.status}`);
    await caches.delete(endingCache);
}

/** Returns the response to someone who opens an address of the API. A session that has to end must not be used for it. */
async function fromSession(request) {
    await endSession();
    return fetch(request);
}

/** Returns whether a response is worth keeping: no searches, events, pictures or session. */
function isData(request, { pathname, searchParams }) {
    return pathname.startsWith("/v1/") && pathname !== "/v1/session" && request.headers.get("Accept") === "application/json"
        && !searchParams.has("q") && !searchParams.has("keypad");
}

async function fromPage(request, { pathname }) {
    return await caches.match(pathname, { cacheName: pageCache }) ?? fetch(request);
}

/** Returns the response of the server, or else the last one, with the time when it was received. */
async function fromServer(event) {
    const { request } = event;
    let answer;
    try {
        answer = await fetch(request);
    } catch (error) {
        const stored = await caches.match(request.url, { cacheName: dataCache });
        if (!stored) throw error;
        return stored;
    }
    if (answer.status === 200) event.waitUntil(keep(request.url, answer.clone()));
    return answer;
}

/** Returns the last response, which the page shows until that of the server arrives. */
async function fromStore(request) {
    return await caches.match(request.url, { cacheName: dataCache }) ?? new Response(null, { status: 204 });
}

async function keep(address, answer) {
    // The response may arrive after signing out.
    if (await caches.has(endingCache)) return;
    const headers = new Headers(answer.headers);
    headers.set("X-Stored-At", new Date().toISOString());
    const body = await answer.blob();
    const cache = await caches.open(dataCache);
    // The newest response is the last key.
    await cache.delete(address);
    await cache.put(address, new Response(body, { status: 200, headers }));
    const keys = await cache.keys();
    await Promise.all(keys.slice(0, Math.max(0, keys.length - maximumResponses)).map((key) => cache.delete(key)));
}

// Reminders

addEventListener("push", (event) => {
    event.waitUntil(show(event.data));
});

/** Shows a reminder. The page shows its own with the same tag, so that there is one notification. */
async function show(data) {
    let reminder = {};
    try {
        reminder = data.json();
    } catch {
        // Browsers require a notification for each message.
    }
    const { id = "reminder", prospect = null, title = "Reminder", body = "" } = reminder;
    const actions = prospect === null ? [] : [{ action: "contacted", title: "Contacted" }, { action: "inAnHour", title: "In an hour" }];
    await registration.showNotification(title, { body, tag: id, icon: "/page/icon-192.png", data: { prospect }, actions });
    await showBadge();
}

/** Shows the number of overdue reminders at the icon of the installed page, as the page does while it is open. */
async function showBadge() {
    try {
        const answer = await fetch("/v1/reminders?overdue=true&limit=100", { headers: { Accept: "application/json" } });
        if (answer.ok) await navigator.setAppBadge?.((await answer.json()).results.length);
    } catch {
        // Without the server or the permission, the badge stays as it is.
    }
}

addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(act(event.action, event.notification.data?.prospect ?? null));
});

/** Performs the chosen action, or opens the prospect. An action that fails opens the prospect, too, so that it is not lost. */
async function act(action, prospect) {
    const place = `/v1/prospects/${encodeURIComponent(prospect)}`;
    const done = {
        contacted: () => send("PATCH", place, { contacted: true }),
        inAnHour: () => send("PUT", `${place}/reminder`, { in: 3600 }),
    }[action];
    if (done && await done()) return showBadge();
    const target = prospect === null ? "/#/prospects" : `/#/prospects/${encodeURIComponent(prospect)}`;
    const [page] = await clients.matchAll({ type: "window" });
    if (!page) return void await clients.openWindow(target);
    page.postMessage({ open: target.slice(1) });
    await page.focus();
}

async function send(method, address, json) {
    try {
        const answer = await fetch(address, { method, body: JSON.stringify(json), headers: { "Content-Type": "application/json" } });
        return answer.ok;
    } catch {
        return false;
    }
}

// The push service has replaced the subscription.
addEventListener("pushsubscriptionchange", (event) => {
    event.waitUntil((async () => {
        const { applicationServerKey } = event.oldSubscription?.options ?? {};
        const fresh = event.newSubscription ?? (applicationServerKey && await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
        if (fresh) await send("PUT", "/v1/push", fresh.toJSON());
    })());
});
