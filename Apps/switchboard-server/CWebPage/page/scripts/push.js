// Reminders through the push service of the browser, also while the page is closed. worker.js shows them.

import { get, path, put, remove } from "./requests.js";

/** Returns whether this browser can receive reminders while the page is closed. Without HTTPS it cannot. */
export function canPush() {
    return "PushManager" in globalThis && "serviceWorker" in navigator && "Notification" in globalThis;
}

/** Returns whether this browser receives reminders while the page is closed. */
export async function isPushing() {
    return canPush() && Notification.permission === "granted" && await subscription() !== null;
}

/** Asks the person and the browser, and returns whether both agree. */
export async function startPush() {
    if (await Notification.requestPermission() !== "granted") return false;
    const { publicKey } = await get("/v1/push");
    const registration = await navigator.serviceWorker.ready;
    const own = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
    await put("/v1/push", { json: own.toJSON() });
    return true;
}

export async function stopPush() {
    const own = await subscription();
    if (own === null) return;
    await remove(path(["push"], { endpoint: own.endpoint }));
    await own.unsubscribe();
}

/** Tells the server the subscription of this browser again, which belongs to the session and may have changed. */
export async function renewPush() {
    if (!await isPushing()) return;
    await put("/v1/push", { json: (await subscription()).toJSON() });
}

async function subscription() {
    const registration = await navigator.serviceWorker.getRegistration();
    return await registration?.pushManager?.getSubscription() ?? null;
}
