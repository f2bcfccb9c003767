import { element } from "../elements.js";
export function contactsView() { return { element: element("div"), show() {} }; }
