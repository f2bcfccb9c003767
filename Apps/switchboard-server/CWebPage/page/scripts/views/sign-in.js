// The sign-in form.

import { element } from "../elements.js";
import { UserError } from "../errors.js";
import { field, form } from "../forms.js";
import { hasKeyboard } from "../keys.js";
import { clearError } from "../messages.js";
import { address } from "../routes.js";
import { signIn } from "../session.js";
import { texts } from "../texts.js";

/** Creates the form. Calls `done` after signing in. */
export function signInView(done) {
    const token = field(texts.signIn.token, { type: "password", autocomplete: "current-password", required: true, spellcheck: "false" });
    const whole = element("div", { class: "sign-in card" },
        element("img", { src: "/page/icon.svg", alt: "", width: "72", height: "72" }),
        element("p", { class: "slogan" }, texts.slogan),
        element("p", { class: "lead" }, texts.signIn.lead),
        form([token.element, element("p", { class: "small" }, texts.signIn.note)], {
            button: texts.signIn.button,
            async send() {
                try {
                    await signIn(token.input.value.trim());
                } catch (error) {
                    token.input.select();
                    if (error.status === 401 || error.status === 400) throw new UserError(texts.errors.token, { cause: error });
                    throw error;
                }
                token.input.value = "";
                clearError();
                done();
            },
        }),
        element("p", { class: "small" }, element("a", { href: address("airports") }, texts.signIn.airports)));
    return {
        element: whole,
        show(parts, isNew) {
            if (isNew && hasKeyboard()) token.input.focus();
        },
    };
}
