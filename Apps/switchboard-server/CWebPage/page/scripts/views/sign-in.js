// Signing in: by the code of `pair`, which needs nothing typed, or by a token.

import { element } from "../elements.js";
import { Failure } from "../failures.js";
import { field, form } from "../forms.js";
import { hasKeyboard } from "../keys.js";
import { clearFailure } from "../messages.js";
import { address } from "../routes.js";
import { signIn } from "../session.js";
import { texts } from "../texts.js";

/** The form; `done` is called when somebody is signed in. */
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
                    if (error.status === 401 || error.status === 400) throw new Failure(texts.errors.token, { cause: error });
                    throw error;
                }
                token.input.value = "";
                clearFailure();
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
