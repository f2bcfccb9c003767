// Forms with labelled fields, a submit button and a cancel button.

import { element, freshId } from "./elements.js";
import { fail } from "./messages.js";
import { texts } from "./texts.js";

/** Creates a labelled field. Other properties are those of the input; `rows` creates a text area. */
export function field(label, properties = {}) {
    const id = freshId("field");
    const { value = "", rows, ...rest } = properties;
    const input = element(rows ? "textarea" : "input", { id, class: "field-input", dir: "auto", rows, type: rows ? null : "text", ...rest });
    input.value = value ?? "";
    return { element: element("div", { class: "field" }, element("label", { for: id }, label), input), input };
}

/** Creates a form. Calls `send` on submit and shows its errors. */
export function form(content, { send, cancel, button = texts.save }) {
    const submit = element("button", { type: "submit", class: "primary" }, button);
    return element("form", {
        class: "form", novalidate: true, onsubmit: async (event) => {
            event.preventDefault();
            if (submit.disabled) return;
            submit.disabled = true;
            try {
                await send();
            } catch (error) {
                fail(error);
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
    }, content, element("div", { class: "actions" }, submit,
        cancel && element("button", { type: "button", onclick: cancel }, texts.cancel)));
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
