import { element } from "../elements.js";
export function settingsView() { return { element: element("div"), show() {} }; }
