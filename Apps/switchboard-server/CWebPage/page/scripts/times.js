// Relative times in the time zone of the device.

import { texts } from "./texts.js";

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** Formats a time, a date or ISO 8601: "today at 14:05", "on Sat 21 Nov at 09:00". */
export function moment(when, now = new Date()) {
    const date = new Date(when);
    if (Number.isNaN(date.getTime())) return "";
    const time = clock.format(date);
    const days = Math.round((midnight(date) - midnight(now)) / 86_400_000);
    if (days === 0) return texts.times.today(time);
    if (days === 1) return texts.times.tomorrow(time);
    if (days === -1) return texts.times.yesterday(time);
    return texts.times.on((date.getFullYear() === now.getFullYear() ? day : dayOfYear).format(date), time);
}

/** Formats a date. */
export function dayOf(iso) {
    const date = new Date(iso);
    return Number.isNaN(date.getTime()) ? "" : dayOfYear.format(date);
}

/** Returns the next nine o'clock in the morning, local time. */
export function nextNine(now = new Date()) {
    const nine = new Date(now);
    nine.setHours(9, 0, 0, 0);
    if (nine <= now) nine.setDate(nine.getDate() + 1);
    return nine;
}

/** Returns the time in some hours. */
export function inHours(hours) {
    return new Date(Date.now() + hours * 3_600_000);
}

/** Returns the date of today, local time, for the server. */
export function today(now = new Date()) {
    return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((number) => String(number).padStart(2, "0")).join("-");
}

/** Formats a time for the server, to the second. */
export function stamp(date) {
    return date.toISOString().replace(/\.\d+Z$/, "Z");
}

/** Returns the time zone of the device, such as "Europe/Berlin". */
export function timeZone() {
    return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Formats a local time for a datetime-local input. */
export function fieldValue(date) {
    const two = (number) => String(number).padStart(2, "0");
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Returns the current time in a zone, or an empty string if the zone is unknown. */
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
