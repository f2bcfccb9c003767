// Times as people say them, in the time zone of this device.

import { texts } from "./texts.js";

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** A moment in words: "today at 14:05", "on Sat 21 Nov at 09:00". */
export function moment(iso, now = new Date()) {
    const date = new Date(iso);
    if (Number.isNaN(date.getTime())) return "";
    const time = clock.format(date);
    const days = Math.round((midnight(date) - midnight(now)) / 86_400_000);
    if (days === 0) return texts.times.today(time);
    if (days === 1) return texts.times.tomorrow(time);
    if (days === -1) return texts.times.yesterday(time);
    return texts.times.on((date.getFullYear() === now.getFullYear() ? day : dayOfYear).format(date), time);
}

/** A day in words. */
export function dayOf(iso) {
    const date = new Date(iso);
    return Number.isNaN(date.getTime()) ? "" : dayOfYear.format(date);
}

/** The next nine o'clock in the morning here. */
export function nextNine(now = new Date()) {
    const nine = new Date(now);
    nine.setHours(9, 0, 0, 0);
    if (nine <= now) nine.setDate(nine.getDate() + 1);
    return nine;
}

/** A moment as the server reads it, to the second. */
export function stamp(date) {
    return date.toISOString().replace(/\.\d+Z$/, "Z");
}

/** The name of the time zone of this device, such as "Europe/Berlin". */
export function timeZone() {
    return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A date as a field of date and time wants it, in local time. */
export function fieldValue(date) {
    const two = (number) => String(number).padStart(2, "0");
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The time of a place, or nothing where the browser does not know its zone. */
export function timeIn(zone) {
    try {
        return new Intl.DateTimeFormat("en-GB", { weekday: "short", hour: "2-digit", minute: "2-digit", timeZone: zone }).format(new Date());
    } catch {
        return "";
    }
}

function midnight(date) {
    return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
