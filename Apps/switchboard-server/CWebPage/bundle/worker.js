
const version = "479d357b23ab6141";
const files = ["/", "/page/app-9b61e3ba0df80e3b.css", "/page/early-5618bbb6e1ce51e5.js", "/page/app-99a324158b9d1348.js", "/page/coastlines-1f39454a2cb39fc3.js", "/page/contact-form-5541c18db3f20b79.js", "/page/camera-f7769fd747101216.js", "/page/badge-86c5c5fc8164c993.js", "/manifest.webmanifest", "/page/icon.svg", "/page/tick.svg"];

const pageCache = `page ${version}`;
const dataCache = "data";
const endingCache = "ending";
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

async function endSession() {
    if (!await caches.has(endingCache)) return;
    const answer = await fetch("/v1/session", { method: "DELETE" });
    if (!answer.ok && answer.status !== 401) throw new TypeError(`status ${answer.status}`);
    await caches.delete(endingCache);
}

async function fromSession(request) {
    await endSession();
    return fetch(request);
}

function isData(request, { pathname, searchParams }) {
    return pathname.startsWith("/v1/") && pathname !== "/v1/session" && request.headers.get("Accept") === "application/json"
        && !searchParams.has("q") && !searchParams.has("keypad");
}

async function fromPage(request, { pathname }) {
    return await caches.match(pathname, { cacheName: pageCache }) ?? fetch(request);
}

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

async function fromStore(request) {
    return await caches.match(request.url, { cacheName: dataCache }) ?? new Response(null, { status: 504 });
}

async function keep(address, answer) {
    if (await caches.has(endingCache)) return;
    const headers = new Headers(answer.headers);
    headers.set("X-Stored-At", new Date().toISOString());
    const body = await answer.blob();
    const cache = await caches.open(dataCache);
    await cache.delete(address);
    await cache.put(address, new Response(body, { status: 200, headers }));
    const keys = await cache.keys();
    await Promise.all(keys.slice(0, Math.max(0, keys.length - maximumResponses)).map((key) => cache.delete(key)));
}


addEventListener("push", (event) => {
    event.waitUntil(show(event.data));
});

async function show(data) {
    let reminder = {};
    try {
        reminder = data.json();
    } catch {
    }
    const { id = "reminder", prospect = null, title = "Reminder", body = "" } = reminder;
    const actions = prospect === null ? [] : [{ action: "contacted", title: "Contacted" }, { action: "inAnHour", title: "In an hour" }];
    await registration.showNotification(title, { body, tag: id, icon: "/page/icon-192.png", data: { prospect }, actions });
}

addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(act(event.action, event.notification.data?.prospect ?? null));
});

async function act(action, prospect) {
    const place = `/v1/prospects/${encodeURIComponent(prospect)}`;
    const done = {
        contacted: () => send("PATCH", place, { contacted: true }),
        inAnHour: () => send("PUT", `${place}/reminder`, { in: 3600 }),
    }[action];
    if (done && await done()) return;
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

addEventListener("pushsubscriptionchange", (event) => {
    event.waitUntil((async () => {
        const { applicationServerKey } = event.oldSubscription?.options ?? {};
        const fresh = event.newSubscription ?? (applicationServerKey && await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
        if (fresh) await send("PUT", "/v1/push", fresh.toJSON());
    })());
});
