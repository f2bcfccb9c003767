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

/** Names the day of a time: "Today", "Sat 21 Nov". */
export function dayName(when, now = new Date()) {
    const days = Math.round((midnight(when) - midnight(now)) / 86_400_000);
    if (days === 0) return texts.times.thisDay;
    if (days === -1) return texts.times.dayBefore;
    return (when.getFullYear() === now.getFullYear() ? day : dayOfYear).format(when);
}

/** Formats a date. */
export function dayOf(iso) {
    const date = new Date(iso);
    return Number.isNaN(date.getTime()) ? "" : dayOfYear.format(date);
}

/** Returns nine o'clock in the morning in some days, local time. */
export function nineIn(days, now = new Date()) {
    return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 9);
}

/** Returns the times that people mean by a reminder: `[{name, time}]`, the soonest first. */
export function reminderTimes(now = new Date()) {
    const names = texts.reminders.times;
    // From Sunday, the next Monday is tomorrow.
    const untilMonday = (8 - now.getDay()) % 7 || 7;
    return [
        { name: names.inHour, time: new Date(now.getTime() + 3_600_000) },
        { name: names.today, time: nineIn(0, now) },
        { name: names.tomorrow, time: nineIn(1, now) },
        { name: names.inDays, time: nineIn(3, now) },
        { name: names.monday, time: nineIn(untilMonday, now) },
        { name: names.inWeeks, time: nineIn(14, now) },
    ].filter(({ time }, index, all) => time > now && !all.slice(0, index).some((other) => other.time.getTime() === time.getTime()))
        .sort((one, other) => one.time - other.time);
}

/** Returns the time in some hours. */
export function inHours(hours) {
    return new Date(Date.now() + hours * 3_600_000);
}

/** Returns the date of a time, local time, as the server writes it: "2026-11-28". */
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
