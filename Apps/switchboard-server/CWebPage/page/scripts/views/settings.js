// The Settings view: account, permissions, tokens, calendar, notifications and keyboard shortcuts.

import "../main.js"; // for the bundle: what both share stays in the script of the page
import { setAccess } from "../access.js";
import { confirm, openDialog } from "../dialogs.js";
import { element, fill, freshId } from "../elements.js";
import { announce, endNotices, fail, note } from "../messages.js";
import { waiting } from "../queue.js";
import { get, path, post, put, remove, request } from "../requests.js";
import { may, signedIn, signOut } from "../session.js";
import { texts } from "../texts.js";
import { dayOf } from "../times.js";
import { canPush, isPushing, startPush, stopPush } from "../push.js";
import { installButton } from "../install.js";

export function settingsView() {
    const access = element("div");
    const tokens = element("div");
    const sessions = element("div");
    const usage = element("p", { class: "muted" });
    const calendar = element("div");
    const notices = element("div");
    const pushing = element("div");
    const learning = element("div", { class: "segments", role: "group", "aria-label": texts.settings.learning });
    const install = element("div");

    async function loadAccess() {
        const { results } = await get("/v1/access");
        // The address book of the machine is that of programs, not of a browser.
        fill(access, results.filter(({ what }) => what !== "contacts").map((grant) => {
            const id = freshId("grant");
            const choice = (status, label) => element("button", {
                type: "button", class: "segment", "aria-pressed": String(grant.status === status), onclick: () => {
                    setAccess(grant.what, status).then(loadAccess).then(() => announce(texts.access.status[status])).catch(fail);
                },
            }, label);
            return element("div", { class: "grant" },
                element("div", {}, element("h3", { id }, texts.access.what[grant.what] ?? grant.what),
                    element("p", { class: "muted" }, texts.purposes[grant.what] ?? grant.purpose),
                    grant.status === "notDetermined" && element("p", { class: "small muted" }, texts.access.status.notDetermined)),
                element("div", { class: "segments", role: "group", "aria-labelledby": id },
                    choice("authorized", texts.access.allow), choice("denied", texts.access.deny)));
        }));
    }

    async function loadTokens() {
        const { results } = await get("/v1/tokens");
        fill(tokens, element("ul", { class: "rows tokens" }, results.map((token) => element("li", { class: "item token" },
            element("div", {}, element("b", {}, token.current ? texts.settings.current : token.label || token.id), " ", element("span", {}, (token.scopes ?? []).join(", ")),
                element("p", { class: "small muted" }, texts.settings.created(dayOf(token.createdAt)), ", ",
                    token.lastUsedAt ? texts.settings.used(dayOf(token.lastUsedAt)) : texts.settings.unused)),
            element("button", { type: "button", class: "button danger", "aria-label": texts.settings.revokeNamed(token.id), onclick: () => revoke(token).catch(fail) },
                texts.settings.revoke)))));
    }

    async function loadSessions() {
        const { results } = await get("/v1/sessions");
        fill(sessions, element("ul", { class: "rows tokens" }, results.map((session) => element("li", { class: "item token" },
            element("div", {}, element("b", {}, session.current ? texts.settings.currentSession(session.device) : session.device || session.id),
                element("p", { class: "small muted" }, session.createdAt && [texts.settings.created(dayOf(session.createdAt)), ", "],
                    texts.settings.used(dayOf(session.lastUsedAt)))),
            !session.current && element("button", {
                type: "button", class: "button danger", "aria-label": texts.settings.endSessionNamed(session.device || session.id),
                onclick: () => remove(path(["sessions", session.id])).then(loadSessions).catch(fail),
            }, texts.settings.signOut)))));
    }

    async function loadUsage() {
        const { results } = await get("/v1/usage");
        const size = results.find(({ what }) => what === "megabytes");
        fill(usage, texts.settings.usage(size.used, size.budget));
    }

    /** Asks for the person's name, and deletes everything. */
    async function deleteAccount() {
        const name = signedIn()?.person ?? "";
        const id = freshId("confirmation");
        const input = element("input", { id, class: "field-input", type: "text", autocomplete: "off", autofocus: true, oninput: () => { yes.disabled = input.value.trim() !== name; } });
        let yes;
        const isSure = await openDialog(texts.settings.deleteAccount, (close) => {
            yes = element("button", { type: "button", class: "button danger", disabled: true, onclick: () => close(true) }, texts.settings.deleteAccount);
            return [
                element("p", { class: "lead" }, texts.settings.deleteText),
                element("div", { class: "field" }, element("label", { for: id }, texts.settings.deleteName(name)), input),
                element("div", { class: "actions" }, yes, element("button", { type: "button", onclick: () => close(false) }, texts.cancel)),
            ];
        });
        if (!isSure) return;
        await request("DELETE", "/v1/account", { json: { name } });
        await signOut().catch(() => {});
        dispatchEvent(new Event("signedout"));
    }

    async function loadLearning() {
        const isOn = (await get("/v1/choices/learning")).learning;
        const choice = (value, label) => element("button", {
            type: "button", class: "segment", "aria-pressed": String(isOn === value), onclick: () => {
                put("/v1/choices/learning", { json: { learning: value }, queued: texts.queue.learning(label) })
                    .then(() => loadLearning()).then(() => announce(label)).catch(fail);
            },
        }, label);
        fill(learning, choice(true, texts.settings.learningOn), choice(false, texts.settings.learningOff));
    }

    async function forget() {
        if (!(await confirm(texts.settings.forgetAsk, texts.settings.forgetText, texts.settings.forget))) return;
        if ((await remove("/v1/choices", { queued: texts.queue.forget }))?.isQueued) return;
        note(texts.settings.forgotten);
    }

    /** Shows a link that signs another browser in. */
    async function pairDevice() {
        const { url, picture } = await post("/v1/pairing");
        await openDialog(texts.settings.pair, () => [
            element("p", { class: "lead" }, texts.settings.pairLead),
            element("img", { class: "qr", src: picture, alt: texts.settings.pairPicture, width: 220, height: 220 }),
            shown(texts.settings.pairAddress, url),
        ]);
        await loadTokens();
    }

    /** Returns a field with a text to copy. */
    function shown(label, text) {
        const id = freshId("shown");
        const input = element("input", { id, class: "field-input", readonly: true, type: "text", onfocus: () => input.select() });
        input.value = text;
        return [element("div", { class: "field" }, element("label", { for: id }, label), input),
            element("div", { class: "actions" }, element("button", { type: "button", class: "button", onclick: () => copy(input) }, texts.settings.copy))];
    }

    /** Asks for the name of a telephone or mail program, and shows what it needs to synchronize. */
    async function setUpDevice() {
        const id = freshId("device");
        const input = element("input", { id, class: "field-input", type: "text", maxlength: 200, autocomplete: "off", autofocus: true, required: true });
        const device = await openDialog(texts.settings.device, (close) => element("form", {
            onsubmit: (event) => { event.preventDefault(); close(input.value.trim()); },
        }, element("p", { class: "lead" }, texts.settings.deviceLead),
        element("div", { class: "field" }, element("label", { for: id }, texts.settings.deviceName), input),
        element("div", { class: "actions" }, element("button", { type: "submit", class: "primary" }, texts.settings.deviceCreate),
            element("button", { type: "button", onclick: () => close() }, texts.cancel))));
        if (!device) return;
        const { address, user, password, picture, profile } = await post("/v1/tokens", { json: { device } });
        await openDialog(texts.settings.device, () => [
            element("p", { class: "lead" }, texts.settings.deviceShown),
            element("img", { class: "qr", src: picture, alt: texts.settings.devicePicture, width: 220, height: 220 }),
            shown(texts.settings.deviceAddress, address), shown(texts.settings.deviceUser, user), shown(texts.settings.devicePassword, password),
            element("div", { class: "actions" }, element("a", { class: "button", href: profile, download: "switchboard.mobileconfig" }, texts.settings.deviceProfile)),
        ]);
        await loadTokens();
    }

    async function revoke(token) {
        if (!(await confirm(texts.settings.revokeAsk, texts.settings.revokeText, texts.settings.revoke))) return;
        await remove(path(["tokens", token.id]), { queued: texts.queue.revoked(token.label || token.id) });
        await loadTokens();
    }

    async function loadCalendar(answer) {
        const { url } = answer ?? await get("/v1/calendar");
        const id = freshId("calendar");
        const input = element("input", { id, class: "field-input", readonly: true, type: "text", onfocus: () => input.select() });
        input.value = new URL(url, location.origin).href;
        fill(calendar, element("div", { class: "field" }, element("label", { for: id }, texts.settings.calendarAddress), input),
            element("div", { class: "actions" },
                element("button", { type: "button", class: "button", onclick: () => copy(input) }, texts.settings.copy),
                element("button", { type: "button", class: "button", onclick: () => renew().catch(fail) }, texts.settings.renew)));
    }

    async function copy(input) {
        input.select();
        try {
            await navigator.clipboard.writeText(input.value);
            note(texts.settings.copied);
        } catch {
            // The clipboard needs HTTPS. The text is selected for copying.
            input.focus();
        }
    }

    async function renew() {
        if (!(await confirm(texts.settings.renewAsk, texts.settings.renewText, texts.settings.renew))) return;
        await loadCalendar(await post("/v1/calendar"));
        note(texts.settings.renewed);
    }

    function showNotices() {
        if (!("Notification" in globalThis)) return;
        const said = { granted: texts.settings.notifyAllowed, denied: texts.settings.notifyDenied }[Notification.permission];
        fill(notices, element("h2", {}, texts.settings.notify), element("p", { class: "muted" }, texts.settings.notifyLead),
            said ? element("p", {}, said) : element("button", {
                type: "button", class: "button", onclick: () => Notification.requestPermission().then(showNotices, fail),
            }, texts.settings.notifyOn));
    }

    async function showPush() {
        if (!("Notification" in globalThis)) return;
        const label = (text) => element("p", { id: "push-label" }, text);
        if (!canPush()) return fill(pushing, label(texts.settings.pushUnavailable));
        const isOn = await isPushing();
        const choice = (value, text, act) => element("button", {
            type: "button", class: "segment", "aria-pressed": String(isOn === value), onclick: () => {
                if (isOn !== value) act().then(() => { showNotices(); return showPush(); }).catch(fail);
            },
        }, text);
        const begin = async () => {
            try {
                if (!await startPush()) note(texts.settings.notifyDenied);
            } catch (error) {
                if (!(error instanceof DOMException)) throw error;
                note(texts.settings.pushRefused);
            }
        };
        fill(pushing, label(texts.settings.push), element("div", { class: "segments", role: "group", "aria-labelledby": "push-label" },
            choice(true, texts.settings.pushOn, begin), choice(false, texts.settings.pushOff, stopPush)));
    }

    const isAll = (signedIn()?.scopes ?? []).includes("all");
    const card = (...content) => element("section", { class: "card" }, content);
    const whole = element("div", { class: "column settings" },
        card(element("h2", {}, texts.settings.account), element("p", {}, texts.signIn.hello(signedIn()?.person ?? "")),
            element("button", {
                type: "button", class: "button", onclick: async () => {
                    try {
                        const count = waiting().length;
                        if (count > 0 && !(await confirm(texts.settings.waitAsk, texts.settings.waitText(count), texts.settings.signOut))) return;
                        // Complete pending deletions while still signed in.
                        await endNotices();
                        await signOut();
                        dispatchEvent(new Event("signedout"));
                    } catch (error) {
                        fail(error);
                    }
                },
            }, texts.settings.signOut), install),
        may("read", "me") && card(element("h2", {}, texts.settings.access), access),
        isAll && card(element("h2", {}, texts.settings.tokens), element("p", { class: "muted" }, texts.settings.tokensLead), tokens,
            element("h3", {}, texts.settings.sessions), element("p", { class: "muted" }, texts.settings.sessionsLead), sessions,
            element("div", { class: "actions" },
                element("button", { type: "button", class: "button", onclick: () => pairDevice().catch(fail) }, texts.settings.pairButton),
                element("button", { type: "button", class: "button", onclick: () => setUpDevice().catch(fail) }, texts.settings.device))),
        isAll && card(element("h2", {}, texts.settings.data), usage,
            element("div", { class: "actions" },
                element("a", { class: "button", href: "/v1/export", download: "switchboard.zip" }, texts.settings.exportAll),
                element("button", { type: "button", class: "button danger", onclick: () => deleteAccount().catch(fail) }, texts.settings.deleteAccount))),
        may("read", "reminders") && card(element("h2", {}, texts.settings.calendar), element("p", { class: "muted" }, texts.settings.calendarLead), calendar),
        may("write", "activities") && card(element("h2", {}, texts.settings.learning), element("p", { class: "muted" }, texts.settings.learningLead),
            element("div", { class: "actions" }, learning,
                element("button", { type: "button", class: "button", onclick: () => forget().catch(fail) }, texts.settings.forget))),
        card(notices, may("read", "reminders") && pushing),
        card(element("h2", {}, texts.settings.keys), element("dl", { class: "keys" }, texts.settings.keyTable.map(([key, meaning]) =>
            [element("dt", {}, element("kbd", {}, key)), element("dd", {}, meaning)]))));

    return {
        element: whole,
        async show(parts, isNew) {
            if (!isNew) return;
            showNotices();
            showPush().catch(fail);
            fill(install, installButton());
            const loaded = await Promise.allSettled([
                may("read", "me") && loadAccess(), isAll && loadTokens(), isAll && loadSessions(), isAll && loadUsage(), may("read", "reminders") && loadCalendar(),
                may("write", "activities") && loadLearning(),
            ]);
            for (const part of loaded) {
                if (part.status === "rejected") fail(part.reason);
            }
        },
    };
}
