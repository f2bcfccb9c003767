// <switchboard-airports>: the airport picker for other sites, one file that needs no other. It takes part in forms with the code of the
// chosen airport and sends the event `switchboard-airport`. It searches the popular airports, which it downloads once and keeps, at the
// first letter, and shows the answer of the server when it arrives.

import { combobox } from "../combobox.js";
import { element } from "../elements.js";
import { marked } from "../highlights.js";
import { previewAirports } from "../airport-preview.js";
import { airportRow, withCities } from "../airport-rows.js";
import { styles } from "./styles.js";
import { wordsOf } from "./words.js";

/** The address that this file was loaded from. */
const source = document.currentScript?.src ?? location.href;
const cacheName = "switchboard-airports";
const limit = 10;

/** The lists of popular airports, by address. Elements share them. */
const lists = new Map();

function list(address) {
    if (!lists.has(address)) {
        lists.set(address, load(address).catch((error) => {
            lists.delete(address);
            throw error;
        }));
    }
    return lists.get(address);
}

/** Returns the stored list, which the current one replaces for the next time, or else the current one. */
async function load(address) {
    // Pages without HTTPS have no cache.
    const cache = await globalThis.caches?.open(cacheName).catch(() => null);
    const current = ask(address, { priority: "low" }).then(async (answer) => {
        await cache?.put(address, answer.clone()).catch(() => {});
        return answer.json();
    });
    const stored = await cache?.match(address);
    if (!stored) return (await current).airports;
    current.catch(() => {});
    return (await stored.json()).airports;
}

async function ask(address, options) {
    const answer = await fetch(address, { credentials: "omit", ...options });
    if (!answer.ok) throw new Error(`the airport server responded with status ${answer.status}`);
    return answer;
}

class AirportPicker extends HTMLElement {
    static formAssociated = true;
    static observedAttributes = ["value", "required", "placeholder", "label", "server", "lang"];

    #internals = this.attachInternals();
    #root = this.attachShadow({ mode: "open", delegatesFocus: true });
    #words = wordsOf("en");
    #field = null;
    #known = [];
    #chosen = null;
    /** The code that is set before its airport is known. */
    #code = "";

    connectedCallback() {
        this.#build();
    }

    attributeChangedCallback(name) {
        if (name === "value") this.value = this.getAttribute("value") ?? "";
        else if (name === "required") this.#validate();
        else if (this.isConnected) this.#build();
    }

    // MARK: The interface of form controls

    get form() { return this.#internals.form; }
    get name() { return this.getAttribute("name"); }
    set name(text) { this.setAttribute("name", text); }
    get type() { return this.localName; }
    get required() { return this.hasAttribute("required"); }
    set required(isRequired) { this.toggleAttribute("required", isRequired); }
    get disabled() { return this.hasAttribute("disabled"); }
    set disabled(isDisabled) { this.toggleAttribute("disabled", isDisabled); }
    get labels() { return this.#internals.labels; }
    get validity() { return this.#internals.validity; }
    get validationMessage() { return this.#internals.validationMessage; }
    get willValidate() { return this.#internals.willValidate; }
    checkValidity() { return this.#internals.checkValidity(); }
    reportValidity() { return this.#internals.reportValidity(); }

    /** The code of the chosen airport, or "". */
    get value() { return this.#chosen?.code ?? this.#code; }
    set value(code) { this.#take(String(code ?? "").trim().toUpperCase()); }

    /** The chosen airport, or null: code, name, city, country, isCity, latitude, longitude and timeZone. */
    get airport() { return this.#chosen; }

    formResetCallback() { this.value = this.getAttribute("value") ?? ""; }
    formStateRestoreCallback(code) { this.value = code; }
    formDisabledCallback(isDisabled) {
        if (this.#field) this.#field.input.disabled = isDisabled;
    }

    // MARK: The field

    get #language() {
        return this.closest("[lang]")?.lang || navigator.language || "en";
    }

    #address(path, parameters = {}) {
        const address = new URL(path, new URL(this.getAttribute("server") ?? source, document.baseURI));
        for (const [name, value] of Object.entries({ ...parameters, language: this.#language })) address.searchParams.set(name, value);
        return address.href;
    }

    #build() {
        const words = wordsOf(this.#language);
        this.#words = words;
        const status = element("p", { class: "status", role: "status" });
        const announce = (text) => {
            status.textContent = text;
            status.classList.remove("note");
        };
        this.#field = combobox({
            words, announce, clearError() {},
            // Results of the downloaded list remain; without any, the message becomes visible.
            fail: () => {
                announce(words.offline);
                status.classList.toggle("note", !this.#field.isOpen);
            },
            label: this.getAttribute("label") ?? words.label, placeholder: this.getAttribute("placeholder") ?? words.placeholder,
            search: async (query, signal) => {
                const answer = await (await ask(this.#address("/v1/airports", { q: query, limit }), { signal })).json();
                return { ...answer, results: withCities(answer.results) };
            },
            preview: (query) => previewAirports(this.#known, query, limit).map((airport) => airportRow(airport, words.language)),
            option: (result) => this.#option(result),
            choose: (result) => {
                this.#choose(result.airport, result.title);
                announce(words.chosen(result.title));
            },
        });
        const { input } = this.#field;
        input.part.add("field");
        input.disabled = this.matches(":disabled");
        this.#field.element.querySelector(".options").part.add("list");
        this.#field.element.querySelector(".search-clear").addEventListener("click", () => this.#choose(null));
        // A tap on the list keeps the focus in the field.
        this.#field.element.addEventListener("mousedown", (event) => { if (event.target !== input) event.preventDefault(); });
        input.addEventListener("input", () => this.#validate());
        input.addEventListener("focus", () => {
            this.#setLabel();
            this.#download();
            input.select();
        });
        input.addEventListener("blur", () => this.#leave());
        this.#root.adoptedStyleSheets = [sheet];
        this.#root.replaceChildren(this.#field.element, status);
        this.#setLabel();
        this.#download();
        if (this.#chosen) this.#field.settle(this.#text(this.#chosen));
        else if (this.#code !== "") this.#take(this.#code);
        this.#validate();
    }

    #option(result) {
        if (result.isNested) return [element("span", { class: "code nested" }, result.id), element("span", { class: "title", dir: "auto" }, result.title)];
        return [
            element("span", { class: "code" }, marked(result.airport?.code ?? result.id, result.highlights?.code)),
            element("span", {},
                element("span", { class: "title", dir: "auto" }, marked(result.title, result.highlights?.title)),
                element("span", { class: "subtitle", dir: "auto" }, marked(result.subtitle, result.highlights?.subtitle))),
        ];
    }

    /** Names the field by its attribute, or else by its `<label>`. */
    #setLabel() {
        const labels = [...this.#internals.labels].map((label) => label.textContent.trim()).filter(Boolean);
        this.#field.input.setAttribute("aria-label", this.getAttribute("label") ?? (labels.join(" ") || this.#words.label));
    }

    async #download() {
        try {
            this.#known = await list(this.#address("/v1/airports/list"));
        } catch {
            // The field searches on the server until the list can be downloaded.
        }
    }

    // MARK: The value

    #text(airport) {
        return airport.name === airport.code ? airport.code : `${airport.code} · ${airport.name}`;
    }

    /** Takes the airport with a code, without an event. */
    async #take(code) {
        this.#chosen = null;
        this.#code = code;
        this.#field?.settle(code);
        this.#validate();
        if (code === "" || !this.isConnected) return;
        await this.#download();
        let airport = this.#known.find((one) => one.code === code);
        if (!airport) {
            try {
                const row = await (await ask(this.#address(`/v1/airports/${encodeURIComponent(code)}`))).json();
                airport = { ...row.airport, name: row.title };
            } catch {
                // The code is shown instead of the name.
                airport = null;
            }
        }
        if (this.#code !== code || airport === null) return;
        this.#set(airport);
    }

    #set(airport) {
        // The list has the city in the language of the element.
        const known = this.#known.find((one) => one.code === airport?.code) ?? airport;
        this.#chosen = airport && {
            code: airport.code, name: airport.name, city: known.city, country: airport.country, isCity: airport.isCity ?? false,
            latitude: airport.latitude, longitude: airport.longitude, timeZone: airport.timeZone,
        };
        this.#code = airport?.code ?? "";
        this.#field?.settle(airport ? this.#text(airport) : "");
        this.#validate();
    }

    #choose(airport, name) {
        const isNew = (airport?.code ?? "") !== this.value;
        this.#set(airport && { ...airport, name: name ?? airport.name });
        if (!isNew) return;
        this.dispatchEvent(new CustomEvent("switchboard-airport", { detail: this.#chosen, bubbles: true, composed: true }));
        this.dispatchEvent(new Event("change", { bubbles: true }));
    }

    /** Clears the choice if the text was removed, or else shows its name again. */
    #leave() {
        if (this.#field.input.value.trim() === "") this.#choose(null);
        else if (this.#chosen) this.#field.settle(this.#text(this.#chosen));
        else this.#field.close();
        this.#validate();
        this.#field.input.ariaInvalid = String(this.validity.badInput);
    }

    #validate() {
        const code = this.value;
        this.#internals.setFormValue(code === "" ? null : code);
        const input = this.#field?.input;
        if (!input) return;
        input.ariaRequired = String(this.required);
        const isUnfinished = code === "" && input.value.trim() !== "";
        if (isUnfinished) this.#internals.setValidity({ badInput: true }, this.#words.unfinished, input);
        else if (code === "" && this.required) this.#internals.setValidity({ valueMissing: true }, this.#words.required, input);
        else this.#internals.setValidity({});
    }
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
if (!customElements.get("switchboard-airports")) customElements.define("switchboard-airports", AirportPicker);
