// My badge: a full-screen QR code for others to scan, and a form for its details.

import "../main.js"; // for the bundle: what both share stays in the script of the page
import { openDialog } from "../dialogs.js";
import { draftOf, dropDraft } from "../drafts.js";
import { saveChanges } from "../editing.js";
import { element, fill } from "../elements.js";
import { UserError } from "../errors.js";
import { field, form } from "../forms.js";
import { icon } from "../icons.js";
import { fail } from "../messages.js";
import { get, path, tagOf } from "../requests.js";
import { texts } from "../texts.js";

const kinds = { email: "email", phone: "tel", url: "url" };
const known = { name: "name", email: "email", phone: "tel", organization: "organization", title: "organization-title", url: "url" };

/** Returns the fields of the badge that the form edits. */
function fieldsOf(me) {
    return Object.fromEntries(Object.keys(texts.badge.fields).map((key) => [key, me?.[key] ?? ""]));
}

/** Opens the badge, or the form if it is not set. */
export async function openBadge() {
    let me = null;
    let tag;
    try {
        const answer = await get(path(["me"]));
        me = answer.me;
        tag = tagOf(answer);
    } catch (error) {
        if (error.status !== 404) throw error;
    }
    const lock = await keepAwake();
    const body = element("div", { class: "badge" });
    const showCode = () => fill(body,
        element("div", { class: "badge-paper" },
            // The number prevents the browser from showing an outdated code.
            element("img", { src: `/v1/me/badge.svg?v=${Date.now()}`, alt: texts.badge.alt(me.name), onerror: () => fail(new UserError(texts.errors.unreachable)) }),
            element("p", { class: "badge-name", dir: "auto" }, me.name),
            element("p", { dir: "auto" }, [me.title, me.organization].filter(Boolean).join(", ")),
            me.email && element("p", { dir: "auto" }, me.email)),
        element("p", { class: "muted" }, texts.badge.hint),
        element("button", { type: "button", class: "button", autofocus: true, onclick: showForm }, icon("edit"), texts.badge.edit));
    const showForm = () => {
        const names = texts.badge.fields;
        const draft = draftOf("me");
        const base = draft?.base ?? fieldsOf(me);
        const version = draft?.version ?? tag;
        const shown = draft?.values ?? base;
        const fields = Object.entries(names).map(([key, name]) => [key, field(name, {
            type: kinds[key] ?? "text", value: shown[key], autocomplete: known[key], required: key === "name" })]);
        const values = () => Object.fromEntries(fields.map(([key, { input }]) => [key, input.value.trim()]));
        fill(body, element("h3", {}, me ? texts.badge.formTitle : texts.badge.emptyTitle),
            !me && element("p", { class: "muted" }, texts.badge.empty),
            form(fields.map(([, made]) => made.element), {
                cancel: me ? showCode : undefined,
                fieldOf: (error) => Object.fromEntries(fields)[error.problem?.field],
                draft: { key: "me", read: () => ({ base, version, values: values() }), restored: draft !== null, discard: () => { dropDraft("me"); showForm(); } },
                async send() {
                    const now = values();
                    const answer = await saveChanges({
                        address: path(["me"]), tag: version, base, values: now, names, queued: texts.queue.me, isWhole: true,
                        fieldsOf: (current) => fieldsOf(current.me),
                    });
                    if (answer === null) return false;
                    me = answer.me ?? now;
                    tag = tagOf(answer);
                    showCode();
                    body.querySelector("button")?.focus();
                },
            }));
        body.querySelector("input")?.focus();
    };
    return openDialog(texts.badge.title, () => {
        if (me) showCode();
        else showForm();
        return body;
    }, { class: "full", closed: () => lock?.release().catch(() => {}) });
}

/** Keeps the screen on while others scan it, where supported. */
async function keepAwake() {
    try {
        return await navigator.wakeLock?.request("screen");
    } catch {
        return null;
    }
}
