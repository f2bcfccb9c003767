// The actions on prospects: mark as contacted, remind and remove, each with undo.

import { accessStatus, withAccess } from "../access.js";
import { openDialog } from "../dialogs.js";
import { element } from "../elements.js";
import { UserError } from "../errors.js";
import { field, form } from "../forms.js";
import { announce, note } from "../messages.js";
import { patch, path, post, put, remove } from "../requests.js";
import { texts } from "../texts.js";
import { fieldValue, inHours, moment, nextNine, stamp, timeZone } from "../times.js";

/**
 * Creates the actions. Calls `changed()` after each and `left(prospect)` after a removal; `reminderOf(id)` returns the pending reminder.
 */
export function prospectChanges({ changed, left, reminderOf }) {
    const name = (prospect) => prospect.name || texts.unnamed;

    const remindAt = (prospect, time) => {
        const due = time.at ? new Date(time.at) : time.in ? inHours(time.in / 3600) : nextNine();
        return put(path(["prospects", prospect.id, "reminder"]), {
            json: { ...time, timeZone: timeZone() }, later: { at: stamp(due), timeZone: timeZone() }, queued: texts.queue.reminder(name(prospect), moment(due)),
        });
    };

    /** Restores the reminder that marking or removing a prospect has cancelled. */
    async function bringBack(prospect, reminder) {
        if (reminder && new Date(reminder.dueAt) > new Date()) await remindAt(prospect, { at: reminder.dueAt });
        await changed();
    }

    async function setContacted(prospect, contacted) {
        const reminder = reminderOf(prospect.id);
        const set = (value) => patch(path(["prospects", prospect.id]),
            { json: { contacted: value }, queued: (value ? texts.queue.contacted : texts.queue.uncontacted)(name(prospect)) });
        await set(contacted);
        await changed();
        note(contacted ? texts.prospects.isContacted(name(prospect)) : texts.prospects.isUncontacted(name(prospect)), [{
            label: texts.undo, act: async () => {
                await set(!contacted);
                await bringBack(prospect, contacted ? reminder : null);
            },
        }], undefined, "contacted");
    }

    async function erase(prospect) {
        const reminder = reminderOf(prospect.id);
        await remove(path(["prospects", prospect.id]), { queued: texts.queue.removedProspect(name(prospect)) });
        left(prospect);
        await changed();
        note(texts.prospects.deleted(name(prospect)), [{
            label: texts.undo, act: async () => {
                await post(path(["prospects", prospect.id, "restore"]), { queued: texts.queue.prospect(name(prospect)) });
                await bringBack(prospect, reminder);
            },
        }]);
    }

    /** Asks for the time and sets the reminder. */
    async function remind(prospect) {
        const grant = await accessStatus("notifications").catch(() => null);
        const time = await openDialog(texts.prospects.remindOf(name(prospect)), (close) => [
            // Setting the first reminder counts as consent, so show its purpose.
            grant?.status === "notDetermined" && element("p", { class: "muted lead" }, texts.purposes.notifications),
            reminderChoices(close),
        ]);
        if (!time) return;
        const reminder = await withAccess("notifications", () => remindAt(prospect, time));
        if (reminder === null) return;
        await changed();
        // The list of waiting changes shows it, and offers to discard it.
        if (reminder.isQueued) return;
        note(texts.prospects.reminded(name(prospect), moment(reminder.dueAt)), [{
            label: texts.undo, act: () => cancelReminder(reminder),
        }]);
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
    const nine = nextNine();
    const at = field(texts.prospects.atLabel, {
        type: "datetime-local", value: fieldValue(new Date(nine.getTime() + 5.5 * 3_600_000)), min: fieldValue(new Date()), required: true,
    });
    const choice = (label, detail, value) => element("button", { type: "button", class: "choice", onclick: () => close(value) },
        element("span", {}, label), element("span", { class: "muted" }, detail));
    return [
        element("div", { class: "choices" },
            choice(texts.prospects.nextNine, moment(nine), {}),
            choice(texts.prospects.inHour, moment(inHours(1)), { in: 3600 }),
            choice(texts.prospects.inDays, moment(inHours(72)), { in: 72 * 3600 })),
        element("h3", {}, texts.prospects.at),
        form([at.element], {
            button: texts.prospects.remind,
            send() {
                const time = new Date(at.input.value);
                if (!(time > new Date())) throw new UserError(texts.prospects.past);
                close({ at: stamp(time) });
            },
        }),
    ];
}
