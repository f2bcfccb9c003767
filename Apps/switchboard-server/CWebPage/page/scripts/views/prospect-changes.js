// The actions on prospects: mark as contacted, remind and remove, of one or several, each with undo.

import { accessStatus, withAccess } from "../access.js";
import { changeEach } from "../bulk.js";
import { openDialog } from "../dialogs.js";
import { element } from "../elements.js";
import { UserError } from "../errors.js";
import { field, form } from "../forms.js";
import { announce, note } from "../messages.js";
import { patch, path, post, put, remove } from "../requests.js";
import { texts } from "../texts.js";
import { fieldValue, moment, nineIn, reminderTimes, stamp, timeZone } from "../times.js";

/**
 * Creates the actions on lists of prospects. Calls `changed()` after each and `left(prospects)` after a removal; `reminderOf(id)` returns
 * the pending reminder.
 */
export function prospectChanges({ changed, left, reminderOf }) {
    const name = (prospect) => prospect.name || texts.unnamed;
    const who = (prospects) => (prospects.length === 1 ? name(prospects[0]) : texts.prospects.count(prospects.length));
    // A message about a person replaces the earlier one, which says what is no longer so.
    const about = (prospects) => prospects.map(({ id }) => id).join(" ");

    const remindAt = (prospect, time) => {
        const json = { at: stamp(time), timeZone: timeZone() };
        return put(path(["prospects", prospect.id, "reminder"]), { json, queued: texts.queue.reminder(name(prospect), moment(time)) });
    };

    /** Undoes a change of each prospect, and sets the reminders again that it has cancelled. */
    async function bringBack(prospects, reminders, undo) {
        await changeEach(prospects, async (prospect) => {
            await undo(prospect);
            const reminder = reminders.get(prospect.id);
            if (reminder && new Date(reminder.dueAt) > new Date()) await remindAt(prospect, new Date(reminder.dueAt));
        });
        await changed();
    }

    const remindersOf = (prospects) => new Map(prospects.map(({ id }) => [id, reminderOf(id)]));

    async function setContacted(prospects, contacted) {
        const reminders = contacted ? remindersOf(prospects) : new Map();
        const set = (value) => (prospect) => patch(path(["prospects", prospect.id]),
            { json: { contacted: value }, queued: (value ? texts.queue.contacted : texts.queue.uncontacted)(name(prospect)) });
        const done = await changeEach(prospects, set(contacted));
        await changed();
        note((contacted ? texts.prospects.isContacted : texts.prospects.isUncontacted)(who(done), done.length),
            [{ label: texts.undo, act: () => bringBack(done, reminders, set(!contacted)) }], undefined, about(prospects));
    }

    async function erase(prospects) {
        const reminders = remindersOf(prospects);
        const done = await changeEach(prospects, (prospect) => remove(path(["prospects", prospect.id]), { queued: texts.queue.removedProspect(name(prospect)) }));
        left(done);
        await changed();
        note(texts.prospects.deleted(who(done)), [{
            label: texts.undo,
            act: () => bringBack(done, reminders, (prospect) => post(path(["prospects", prospect.id, "restore"]), { queued: texts.queue.prospect(name(prospect)) })),
        }], undefined, about(prospects));
    }

    /** Asks for the time unless it is given, and sets the reminders. Returns false if someone has left the question. */
    async function remind(prospects, wanted = null) {
        const grant = wanted === null ? await accessStatus("notifications").catch(() => null) : null;
        const time = wanted ?? await openDialog(texts.prospects.remindOf(who(prospects)), (close) => [
            // Setting the first reminder counts as consent, so show its purpose.
            grant?.status === "notDetermined" && element("p", { class: "muted lead" }, texts.purposes.notifications),
            reminderChoices(close),
        ]);
        if (!time) return false;
        // The server refuses reminders of people who were contacted.
        const due = prospects.length === 1 ? prospects : prospects.filter(({ contacted }) => !contacted);
        if (due.length === 0) throw new UserError(texts.prospects.allContacted);
        const before = remindersOf(due);
        const made = new Map();
        const done = await withAccess("notifications", () => changeEach(due, async (prospect) => made.set(prospect.id, await remindAt(prospect, time))));
        if (done === null) return false;
        await changed();
        // The list of waiting changes shows it, and offers to discard it.
        if (done.every(({ id }) => made.get(id).isQueued)) return true;
        note(texts.prospects.reminded(who(done), moment(time)), [{
            label: texts.undo, act: async () => {
                await changeEach(done, (prospect) => {
                    const earlier = before.get(prospect.id);
                    return earlier ? remindAt(prospect, new Date(earlier.dueAt)) : remove(path(["reminders", made.get(prospect.id).id]));
                });
                await changed();
                announce(texts.prospects.reminderCancelled);
            },
        }], undefined, about(prospects));
        return true;
    }

    async function cancelReminder(reminder) {
        await remove(path(["reminders", reminder.id]), { queued: texts.queue.dismissed(reminder.name) });
        await changed();
        announce(texts.prospects.reminderCancelled);
    }

    return { setContacted, erase, remind, cancelReminder };
}

/** Returns buttons for common times and a field for any other. */
function reminderChoices(close) {
    const at = field(texts.prospects.atLabel, {
        type: "datetime-local", value: fieldValue(new Date(nineIn(1).getTime() + 5.5 * 3_600_000)), min: fieldValue(new Date()), required: true,
    });
    return [
        element("div", { class: "choices" }, reminderTimes().map(({ name, time }, index) => element("button", { type: "button", class: "choice", autofocus: index === 0, onclick: () => close(time) },
            element("span", {}, name), element("span", { class: "muted" }, moment(time))))),
        element("h3", {}, texts.prospects.at),
        form([at.element], {
            button: texts.prospects.remind,
            send() {
                const time = new Date(at.input.value);
                if (!(time > new Date())) throw new UserError(texts.prospects.past);
                close(time);
            },
        }),
    ];
}
