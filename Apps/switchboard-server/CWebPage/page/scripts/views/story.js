// What has happened with a person, and what comes next: the beginning of the page of a contact and of a prospect.

import { element } from "../elements.js";
import { icon } from "../icons.js";
import { texts } from "../texts.js";
import { moment, today } from "../times.js";

/** The time in milliseconds after which a change is a later one than the addition. */
const later = 60_000;
/** The number of days before a birthday from which on it is shown. */
const daysBefore = 30;

/** Returns a line of a story. */
const line = (picture, ...content) => element("li", { dir: "auto" }, icon(picture), element("span", {}, content));

/** Returns how and when someone met a prospect, what happened since, and what is due. `cancel` is called to cancel the reminder. */
export function prospectStory(prospect, reminder, cancel) {
    return element("ul", { class: "story" },
        (prospect.meetings ?? []).map(({ at, place }) => line("badge", place ? texts.prospects.metAt(moment(at), place) : texts.prospects.met(moment(at)))),
        prospect.contactedAt ? line("tick", texts.story.contacted(moment(prospect.contactedAt))) : line("message", texts.story.notContacted),
        edited(prospect, prospect.contactedAt),
        reminder && line("bell", texts.prospects.reminder(moment(reminder.dueAt)), " ",
            element("button", { type: "button", class: "plain", onclick: cancel }, texts.prospects.cancelReminder)));
}

/** Returns since when someone has a contact, and what happened since. */
export function contactStory(contact) {
    const left = daysUntil(contact.birthday);
    return element("ul", { class: "story" },
        left !== null && left.daysLeft <= daysBefore && line("star", texts.story.birthday(texts.find.birthday(left))),
        contact.lastCalledAt && line("phone", texts.story.called(contact.callCount, moment(contact.lastCalledAt))),
        contact.createdAt && line("add", texts.story.added(moment(contact.createdAt))),
        edited(contact, contact.lastCalledAt));
}

function edited({ createdAt, modifiedAt }, other) {
    return new Date(modifiedAt) - new Date(createdAt) > later && modifiedAt !== other && line("edit", texts.story.edited(moment(modifiedAt)));
}

/** Returns the days until a birthday such as "1980-05-01" or "--05-01" and the age then, or null. */
function daysUntil(birthday, now = new Date()) {
    const [, year, month, day] = /^(\d{4}|-)-(\d\d)-(\d\d)$/.exec(birthday ?? "") ?? [];
    if (month === undefined) return null;
    const isOver = `${month}-${day}` < today(now).slice(5);
    const next = new Date(now.getFullYear() + (isOver ? 1 : 0), month - 1, day);
    const daysLeft = Math.round((next - new Date(now.getFullYear(), now.getMonth(), now.getDate())) / 86_400_000);
    return { daysLeft, age: year === "-" ? null : next.getFullYear() - year };
}
