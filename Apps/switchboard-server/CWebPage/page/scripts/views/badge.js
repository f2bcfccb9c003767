// My badge: a full-screen QR code for others to scan, and a form for its details.

import { openDialog } from "../dialogs.js";
import { draftOf, dropDraft } from "../drafts.js";
import { element, fill } from "../elements.js";
import { UserError } from "../errors.js";
import { field, form } from "../forms.js";
import { icon } from "../icons.js";
import { fail } from "../messages.js";
import { get, path, put } from "../requests.js";
import { texts } from "../texts.js";

const kinds = { email: "email", phone: "tel", url: "url" };
const known = { name: "name", email: "email", phone: "tel", organization: "organization", title: "organization-title", url: "url" };

/** Opens the badge, or the form if it is not set. */
export async function openBadge() {
    let me = null;
    try {
        me = (await get(path(["me"]))).me;
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
        const draft = draftOf("me");
        const fields = Object.entries(texts.badge.fields).map(([key, name]) => [key, field(name, {
            type: kinds[key] ?? "text", value: (draft ?? me)?.[key], autocomplete: known[key], required: key === "name" })]);
        const values = () => Object.fromEntries(fields.map(([key, { input }]) => [key, input.value.trim()]));
        fill(body, element("h3", {}, me ? texts.badge.formTitle : texts.badge.emptyTitle),
            !me && element("p", { class: "muted" }, texts.badge.empty),
            form(fields.map(([, made]) => made.element), {
                cancel: me ? showCode : undefined,
                fieldOf: (error) => Object.fromEntries(fields)[error.problem?.field],
                draft: { key: "me", read: values, restored: draft !== null, discard: () => { dropDraft("me"); showForm(); } },
                async send() {
                    const json = values();
                    me = (await put(path(["me"]), { json, queued: texts.queue.me })).me ?? json;
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
