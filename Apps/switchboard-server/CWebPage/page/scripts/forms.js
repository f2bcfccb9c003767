// Forms with labeled fields, a submit button and a cancel button.

import { draftOf, dropDraft, keepDraft } from "./drafts.js";
import { element, freshId } from "./elements.js";
import { fail, note } from "./messages.js";
import { texts } from "./texts.js";

/** Creates a labelled field. Other properties are those of the input; `rows` creates a text area. */
export function field(label, properties = {}) {
    const id = freshId("field");
    const { value = "", rows, ...rest } = properties;
    const input = element(rows ? "textarea" : "input", { id, class: "field-input", dir: "auto", rows, type: rows ? null : "text", ...rest });
    input.value = value ?? "";
    const error = element("p", { class: "field-error", id: `${id}-error`, role: "alert", hidden: true });
    input.addEventListener("input", () => complain(""));
    /** Shows an error below the field, or none if empty. */
    function complain(text) {
        error.textContent = text;
        error.hidden = text === "";
        if (text === "") {
            input.removeAttribute("aria-invalid");
            input.removeAttribute("aria-describedby");
        } else {
            input.setAttribute("aria-invalid", "true");
            input.setAttribute("aria-describedby", error.id);
            input.focus();
        }
    }
    return { element: element("div", { class: "field" }, element("label", { for: id }, label), input, error), input, complain };
}

/**
 * Creates a form. Calls `send` on submit, which returns false to keep the form open, and shows its errors: at the field that
 * `fieldOf(error)` returns, or above the view. With a `draft` `{key, read, restored, discard}`, the text that `read` returns is
 * kept until it is sent or cancelled; `restored` is true if the form shows kept text, which `discard` removes.
 */
export function form(content, { send, cancel, fieldOf = () => null, draft = null, button = texts.save }) {
    const submit = element("button", { type: "submit", class: "primary" }, button);
    const here = location.hash;
    let isDirty = false;
    const keep = () => {
        isDirty = true;
        keepDraft(draft.key, draft.read());
    };
    const drop = () => {
        isDirty = false;
        dropDraft(draft.key);
    };
    const discard = () => {
        const kept = draftOf(draft.key);
        drop();
        cancel?.();
        if (kept === null) return;
        note(texts.drafts.discarded, [{ label: texts.undo, act: () => { keepDraft(draft.key, kept); location.hash = here; } }], undefined, draft.key);
    };
    if (draft) {
        const left = () => {
            if (isDirty && location.hash === here) return;
            removeEventListener("hashchange", left);
            if (isDirty && draftOf(draft.key) !== null) {
                note(texts.drafts.kept, [{ label: texts.drafts.continue, act: () => { location.hash = here; } }], undefined, draft.key);
            }
        };
        addEventListener("hashchange", left);
    }
    return element("form", {
        class: "form", novalidate: true,
        oninput: draft && keep,
        onsubmit: async (event) => {
            event.preventDefault();
            if (submit.disabled) return;
            submit.disabled = true;
            try {
                if (draft) isDirty = false;
                if ((await send()) !== false && draft) drop();
            } catch (error) {
                if (draft) isDirty = true;
                const wrong = fieldOf(error);
                if (wrong) wrong.complain(error.message);
                else fail(error);
            } finally {
                submit.disabled = false;
            }
        },
        onkeydown: (event) => {
            if (event.key === "Escape" && cancel) {
                event.preventDefault();
                event.stopPropagation();
                cancel();
            }
        },
    }, draft?.restored && element("p", { class: "restored" }, texts.drafts.restored,
        element("button", { type: "button", class: "plain", onclick: draft.discard }, texts.drafts.discard)),
    content, element("div", { class: "actions" }, submit,
        cancel && element("button", { type: "button", onclick: draft ? discard : cancel }, texts.cancel)));
}

/** Creates a button for a file input, which stays accessible to the keyboard under the name of the button. */
export function fileButton(label, content, { accept, capture, multiple, chosen }) {
    const id = freshId("file");
    const input = element("input", {
        id, type: "file", class: "file-input", accept, capture, multiple, "aria-label": label,
        onchange: async () => {
            const files = [...input.files];
            input.value = "";
            try {
                if (files.length > 0) await chosen(files);
            } catch (error) {
                fail(error);
            }
        },
    });
    return element("div", { class: "file button" }, element("label", { for: id, "aria-hidden": "true" }, content), input);
}
