const m0 = (() => {
function element(name, properties = {}, ...children) {
const made = document.createElement(name);
for (const [key, value] of Object.entries(properties)) {
if (value === false || value === null || value === undefined) continue;
if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
else made.setAttribute(key, value === true ? "" : String(value));
}
made.append(...nodes(children));
return made;
}

function fill(parent, ...children) {
parent.replaceChildren(...nodes(children));
return parent;
}

function nodes(children) {
return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

let count = 0;

function freshId(prefix) {
count += 1;
return `${prefix}-${count}`;
}
return { element, fill, freshId };
})();
const m1 = (() => {
const paths = {
find: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.3 15.3 20 20",
contacts: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4.5 20c.7-3.6 3.8-5.5 7.5-5.5s6.8 1.9 7.5 5.5",
prospects: "M5 6.5h14v13H5zM9 4v4M15 4v4M9 12.5h6M9 16h4",
airports: "M3 13.5l7-2.5V5.5a2 2 0 0 1 4 0V11l7 2.5v2.200l-7-1.400v3.700l2 1.5V21l-4-1-4 1v-1.5l2-1.5v-3.700l-7 1.400z",
activity: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 8v4.5l3 2",
settings: "M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4M4 12h3M11 12h9M9 10v4",
go: "M9.5 5.5 16 12l-6.5 6.5",
order: "M8 5v14M4.5 15.5 8 19l3.5-3.5M16 19V5M12.5 8.5 16 5l3.5 3.5",
close: "M6 6l12 12M18 6 6 18",
back: "M14.5 5.5 8 12l6.5 6.5",
add: "M12 5v14M5 12h14",
camera: "M4 8h3.5L9 5.5h6L16.5 8H20v11H4zM12 10a3.3 3.3 0 1 0 0 6.6 3.3 3.3 0 0 0 0-6.6",
picture: "M4 5h16v14H4zM4 16l4.5-4.5 4 4 3-2.5 4.5 4M15.5 9h.01",
badge: "M5 5h5v5H5zM14 5h5v5h-5zM5 14h5v5H5zM14 14h2v2h-2zM17 17h2v2h-2zM17.5 14h1.5M14 18.5h1",
star: "M12 4.5l2.3 4.9 5.2.7-3.8 3.7.9 5.300L12 16.5l-4.6 2.6.9-5.3-3.8-3.7 5.2-.7z",
bell: "M6 16.5c1.3-1.5 1.5-3 1.5-5.5a4.5 4.5 0 0 1 9 0c0 2.5.2 4 1.5 5.5zM10.3 19.5h3.4",
remove: "M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.400L17 7M10.5 10.5v6M13.5 10.5v6",
edit: "M5 19l.8-3.800L15.5 5.5l3 3L8.8 18.200zM13.5 7.5l3 3",
tick: "M5.5 12.5l4.3 4.300L18.5 8",
keypad: "M6.5 6h.01M12 6h.01M17.5 6h.01M6.5 12h.01M12 12h.01M17.5 12h.01M6.5 18h.01M12 18h.01M17.5 18h.01",
erase: "M9 6h11v12H9l-5.5-6zM12 9.5l5 5M17 9.5l-5 5",
phone: "M6 4.5h3.5l1.5 4-2 1.5c.9 2.3 2.7 4.1 5 5l1.5-2 4 1.5V18c0 1-.8 1.7-1.8 1.600C10.5 19 5 13.5 4.4 6.3 4.3 5.3 5 4.5 6 4.5z",
message: "M4 5.500h16v11h-9l-4.500 3.500v-3.500H4z",
mail: "M4 6.5h16v11H4zM4 7l8 6 8-6",
place: "M12 21s6-5.7 6-10.5a6 6 0 0 0-12 0C6 15.3 12 21 12 21zM12 8.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4",
link: "M10 14a4 4 0 0 0 5.7 0l2.6-2.600a4 4 0 0 0-5.7-5.700l-1 1M14 10a4 4 0 0 0-5.7 0l-2.6 2.600a4 4 0 0 0 5.7 5.700l1-1",
item: "M6 4.5h8l4 4v11H6zM14 4.5v4h4M9 12.5h6M9 16h6",
import: "M12 4v10M8 10.5l4 4 4-4M5 19.5h14",
copy: "M8.5 8.5h11v11h-11zM15.5 8.5v-4h-11v11h4",
};

function icon(name) {
const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
svg.setAttribute("viewBox", "0 0 24 24");
svg.setAttribute("class", `icon icon-${name}`);
svg.setAttribute("aria-hidden", "true");
svg.setAttribute("focusable", "false");
const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
path.setAttribute("d", paths[name] ?? "");
svg.append(path);
return svg;
}
return { icon };
})();
const m2 = (() => {
const plural = (count, one, many) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

const texts = {
name: "Switchboard",
slogan: "Find the person, place or thing you mean in the fewest keystrokes.",
skip: "Skip to content",
navigation: "Views",
dismiss: "Dismiss",
dismissNotice: "Close this message",
close: "Close",
cancel: "Cancel",
save: "Save",
undo: "Undo",
back: "Back",
details: "Details",
unnamed: "No name",
updated: "A new version of the page is ready.",
reload: "Load it",
queue: {
title: "Changes that wait for the server",
count: (count) => `${plural(count, "change waits", "changes wait")} for the server`,
show: "Show", hide: "Hide", again: "Send again", discard: "Discard",
kept: "The change is kept on this device until the server can be reached.",
sent: (count) => `${plural(count, "change", "changes")} sent`,
conflict: "It was changed elsewhere in the meantime.",
contact: (name) => `Contact ${name}`, newContact: (name) => `New contact ${name}`, removedContact: (name) => `Remove contact ${name}`,
prospect: (name) => `Prospect ${name}`, newProspect: (name) => `New prospect ${name}`, removedProspect: (name) => `Remove prospect ${name}`,
contacted: (name) => `${name} was contacted`, uncontacted: (name) => `${name} is uncontacted`,
reminder: (name, when) => `Reminder for ${name} ${when}`, dismissed: (name) => `Dismiss the reminder for ${name}`,
access: (what, status) => `${what}: ${status.toLowerCase()}`, learning: (value) => `Learning: ${value.toLowerCase()}`,
forget: "Forget everything that was chosen", revoked: (name) => `Revoke the token ${name}`, me: "My badge", removed: (name) => `Remove ${name}`,
},
views: {
find: "Find", contacts: "Contacts", prospects: "Prospects", airports: "Airports", activity: "Activity", settings: "Settings",
},
kinds: { contact: "Contact", prospect: "Prospect", airport: "Airport", item: "Item", activity: "Activity" },
matches: { typo: "similar", layout: "other keyboard", nearby: "nearby" },
errors: {
unreachable: "The server cannot be reached. The page may be out of date until the server is back.",
stored: (when) => `The server cannot be reached. You see the data of ${when}.`,
unreadable: "The server sent an invalid response.",
unknown: "Something went wrong.",
status: (status) => `The server reported error ${status}.`,
byStatus: {
401: "You are not signed in.",
403: "Your token does not allow this.",
404: "This no longer exists.",
413: "The file is too large.",
429: "Too many requests. Wait a moment and try again.",
503: "The server is busy. Try again in a moment.",
},
token: "The token is not valid. Tokens start with sb_.",
pairing: "This pairing code has expired or was already used. Ask for a new one.",
},
signIn: {
title: "Sign in",
lead: "Scan a pairing code or enter your token.",
token: "Token",
button: "Sign in",
note: "The token is not stored in this browser.",
airports: "Search airports without signing in",
hello: (person) => `Signed in as ${person}`,
},
pairing: {
title: "Use this pairing code?",
text: (person) => `You are signed in as ${person}. The code signs this browser in anew, perhaps as another person, and ends the current session.`,
yes: "Use the code",
no: "Stay signed in",
},
drafts: {
restored: "Your unsaved text is back.",
kept: "Your unsaved text is kept.",
continue: "Continue editing",
discard: "Discard it",
discarded: "Changes discarded",
},
conflict: {
title: "Changed elsewhere",
lead: "Someone else has changed the same fields in the meantime.",
mine: (value) => `Yours: ${value}`,
theirs: (value) => `Theirs: ${value}`,
nothing: "(empty)",
keepMine: "Keep mine",
keepTheirs: "Keep theirs",
},
search: {
clear: "Clear search",
results: "Results",
searching: "Searching …",
nothing: (query) => `Nothing found for “${query}”`,
count: (count, isFinal) => (count === 0 ? "No results" : plural(count, "result", "results")) + (isFinal ? "" : " so far"),
},
find: {
label: "Find everything",
placeholder: "Name, number or place",
activities: "Continue where you left off",
toContact: "To contact",
reminders: "Upcoming reminders",
favourites: "Favourites",
emptyTitle: "Nothing here yet",
empty: "Import your contacts or scan someone's badge to get started.",
importContacts: "Import contacts",
hintsTitle: "Try a few letters",
hints: [
["jo", "everything that starts with “jo”"],
["groskruetz", "Großkreutz, despite the typo"],
["5646", "part of a number, or a name on the keypad"],
["пекин", "Beijing, in any script"],
],
scan: "Scan a badge",
},
contacts: {
label: "Find contacts",
placeholder: "Name or number",
keypad: "Keypad",
keypadLabel: "Keypad",
erase: "Delete last digit",
add: "Add contact",
import: "Import",
importLabel: "Import a vCard or CSV file",
padPlaceholder: "Tap the keys of a name",
imported: (report) => [
`${plural(report.added, "contact", "contacts")} added`,
report.merged > 0 && `${report.merged} merged`,
report.unchanged > 0 && `${report.unchanged} unchanged`,
report.skipped?.length > 0 && `${report.skipped.length} skipped`,
].filter(Boolean).join(", "),
importing: (name) => `Importing ${name} …`,
leftOut: (skip) => (skip.line ? `Line ${skip.line}: ${skip.reason}` : skip.reason),
leftOutTitle: "Skipped",
keepGood: "Import the rest",
emptyTitle: "No contacts yet",
empty: "Import a file from your phone or mail app, or add a contact.",
pick: "Select a contact to see its details.",
favourite: "Favourite",
call: "Call",
message: "Message",
mail: "Mail",
edit: "Edit",
delete: "Remove",
deleted: (name) => `${name} removed`,
saved: (name) => `${name} saved`,
newTitle: "New contact",
editTitle: "Edit contact",
count: (count) => plural(count, "contact", "contacts"),
letters: "First letter",
fields: {
givenName: "Given name", familyName: "Family name", nickname: "Nickname", organization: "Organisation", note: "Note",
phones: "Phone numbers", emails: "E-mail addresses", phone: "Phone", email: "E-mail", birthday: "Birthday",
addresses: "Address", urls: "Page", title: "Title", department: "Department", phoneticName: "Pronunciation",
groups: "Groups",
},
photoOf: (name) => `Photo of ${name}`,
addPhone: "Add phone",
addEmail: "Add e-mail",
removeField: (name) => `Remove ${name}`,
},
prospects: {
label: "Find prospects",
placeholder: "Name, e-mail or place",
filter: "Filter",
filters: { everyone: "Everyone", contacted: "Contacted", uncontacted: "Uncontacted" },
sorts: { recent: "Recently met first", name: "By name" },
sortedBy: (order) => `Order: ${order}`,
contacted: "Contacted",
isContacted: (name) => `${name} was contacted`,
isUncontacted: (name) => `${name} is uncontacted`,
remind: "Remind me",
remindOf: (name) => `Remind me about ${name}`,
nextNine: "At nine",
inHour: "In an hour",
inDays: "In three days",
at: "Another time",
atLabel: "Date and time",
reminded: (name, when) => `Reminder for ${name} set ${when}`,
reminder: (when) => `Reminder ${when}`,
cancelReminder: "Cancel reminder",
reminderCancelled: "Reminder cancelled",
past: "This time is in the past. Choose a later one.",
edit: "Edit",
delete: "Remove",
deleted: (name) => `${name} removed`,
saved: (name) => `${name} saved`,
camera: "Scan with the camera",
cameraShort: "Camera",
picture: "Picture of a badge",
pictureShort: "Picture",
me: "My badge",
add: "Add prospect",
newTitle: "New prospect",
editTitle: "Edit prospect",
emptyTitle: "No prospects yet",
empty: "Scan someone's badge to add them here, and set a reminder to get in touch.",
emptyFilter: { contacted: "No one contacted yet.", uncontacted: "Everyone has been contacted." },
pick: "Select a prospect to see the details.",
count: (count) => plural(count, "person", "people"),
letters: "First letter",
met: (when) => `Met ${when}`,
metAt: (when, place) => `Met ${when}, ${place}`,
fields: { name: "Name", email: "E-mail", phone: "Phone", organization: "Organisation", note: "Note", met: "Met" },
},
scan: {
title: "Scan a badge",
looking: "Point the camera at a badge.",
starting: "Starting the camera …",
reading: "Reading …",
added: (name) => `${name} added`,
known: (name) => `${name} is already in your list`,
another: "Scan another",
done: "Done",
noBadge: (reason) => `This code is not a badge: ${reason}`,
noCamera: "The camera is only available over HTTPS or on the same device. Take a picture instead.",
refused: "Camera access was denied. Allow it in the browser's settings, or take a picture instead.",
missing: "No camera found. Choose a picture instead.",
pictures: (report) => [
report.added > 0 && `${plural(report.added, "person", "people")} added`,
report.merged > 0 && `${report.merged} already in your list`,
].filter(Boolean).join(", "),
videoLabel: "Camera preview",
},
badge: {
title: "My badge",
alt: (name) => `QR code of ${name}`,
edit: "Edit details",
emptyTitle: "Your badge",
empty: "Enter your details so that others can scan your badge.",
fields: { name: "Name", email: "E-mail", phone: "Phone", organization: "Organisation", title: "Title", url: "Page" },
formTitle: "My details",
hint: "Others can scan this code.",
},
airports: {
label: "Find airports",
placeholder: "City, airport or code",
nearest: "Nearest",
recent: "Recent",
popular: "Popular",
showNearest: "Show airports near me",
distance: (km) => (km < 10 ? `${km.toFixed(1)} km` : `${Math.round(km).toLocaleString("en")} km`),
noPlace: "Your location could not be determined.",
refused: "Location access was denied. Allow it in the browser's settings.",
unavailable: "Your location is only available over HTTPS or on the same device.",
nothingNear: "No airports within 500 km.",
mapLabel: (count) => (count === 0 ? "World map of airports" : `World map, ${plural(count, "airport", "airports")} marked`),
cityAirports: (count) => plural(count, "airport", "airports"),
anyOf: (city) => `All airports of ${city}`,
fields: {
code: "IATA", icao: "ICAO", city: "City", country: "Country", region: "Region", timeZone: "Local time", place: "Coordinates",
},
mapFailed: "The map could not be loaded.",
},
activity: {
label: "Find items",
placeholder: "Title, keyword or text",
now: "Now",
before: "Earlier",
items: "Items",
count: (count) => plural(count, "item", "items"),
go: "Continue",
open: "Open",
emptyTitle: "No activity yet",
empty: "Continue here what you do in other apps and on other devices.",
pick: "Select an activity or item to see its details.",
began: (when) => `Since ${when}`,
ended: (when) => `Until ${when}`,
delete: "Remove",
deleted: (name) => `${name} removed`,
expires: (when) => `Expires ${when}`,
never: "Never expires",
fields: { domain: "Domain", keywords: "Keywords", contentType: "Type", url: "Link", activityType: "Type" },
noPlace: "This app provides no link to continue.",
},
purposes: {
contacts: "Switchboard uses your address book to find people by name and number.",
notifications: "Switchboard reminds you to contact people at the time you choose.",
location: "Your location is rounded to about a kilometre and sent to this server to list nearby airports. It is not stored.",
},
access: {
ask: {
contacts: "Allow Switchboard to use your contacts?",
notifications: "Allow Switchboard to remind you?",
location: "Allow Switchboard to use your location?",
},
what: { contacts: "Contacts", notifications: "Reminders", location: "Location" },
status: { notDetermined: "Not decided yet", authorized: "Allowed", denied: "Denied" },
allow: "Allow",
deny: "Deny",
notNow: "Not now",
},
settings: {
account: "Account",
signOut: "Sign out",
waitAsk: "Sign out before your changes are sent?",
waitText: (count) => `${plural(count, "change waits", "changes wait")} for the server. They stay on this device, and are sent when you sign in again.`,
access: "Permissions",
tokens: "Tokens",
tokensLead: "Programs and devices with access to your data.",
created: (when) => `Created ${when}`,
used: (when) => `last used ${when}`,
unused: "never used",
current: "This browser",
revoke: "Revoke",
revokeNamed: (id) => `Revoke ${id}`,
pairButton: "Sign another device in",
pair: "Sign another device in",
pairLead: "Scan the code with the other device, or open the link there. It works once, within ten minutes, and gives full access to your data.",
pairPicture: "QR code of the link",
pairAddress: "Link",
revokeAsk: "Revoke this token?",
revokeText: "Its programs and devices lose access immediately. This cannot be undone.",
calendar: "Calendar",
calendarLead: "Subscribe to this address in a calendar app to see your reminders. Anyone with the address can read them.",
calendarAddress: "Calendar address",
copy: "Copy",
copied: "Address copied",
renew: "New address",
renewAsk: "Create a new address?",
renewText: "Calendars that use the old address stop receiving your reminders.",
renewed: "New address created. The old one no longer works.",
learning: "Learning",
learningLead: "What you open from a search comes first the next time you type the same.",
learningOn: "On",
learningOff: "Off",
forget: "Forget everything",
forgetAsk: "Forget what you chose?",
forgetText: "Results return to their usual order. This cannot be undone.",
forgotten: "Everything you chose is forgotten.",
notify: "Notifications",
notifyOn: "Show notifications",
notifyLead: "Show reminders as notifications of this device while the page is open.",
notifyAllowed: "Notifications are allowed.",
notifyDenied: "Notifications are blocked in the browser's settings.",
keys: "Keyboard shortcuts",
keyTable: [
["/", "Go to the search field"],
["Down, Up", "Move through results or rows"],
["Enter", "Open"],
["Escape", "Close the list, clear the field, go back"],
["Space", "In Prospects: mark as contacted"],
["R", "In Prospects: remind me"],
["E", "Edit"],
["F", "In Contacts: favourite"],
["Delete", "Remove"],
["U", "Undo, until the message is closed"],
["Alt 1 … 6", "Switch views"],
],
installButton: "Install Switchboard",
},
reminders: {
overdue: "Overdue reminders",
due: (name) => `Time to contact ${name}`,
since: (when) => `due ${when}`,
dismiss: "Dismiss",
dismissNamed: "Dismiss reminder",
more: (count) => `${plural(count, "more reminder", "more reminders")} …`,
fewer: "Show fewer",
contacted: "Contacted",
inHour: "In an hour",
tomorrow: "Tomorrow at nine",
},
times: {
today: (time) => `today at ${time}`,
tomorrow: (time) => `tomorrow at ${time}`,
yesterday: (time) => `yesterday at ${time}`,
on: (date, time) => `on ${date} at ${time}`,
},
};
return { texts };
})();
const m3 = (() => {
const { element, freshId } = m0;
const { icon } = m1;
const { texts } = m2;
function openDialog(title, build, { class: kind = "", closed = () => {} } = {}) {
return new Promise((resolve) => {
const before = document.activeElement;
let answer;
const id = freshId("dialog");
const close = (value) => {
answer = value;
dialog.close();
};
const dialog = element("dialog", { class: `dialog ${kind}`, "aria-labelledby": id },
element("div", { class: "dialog-head" },
element("h2", { id }, title),
element("button", { type: "button", class: "plain round", "aria-label": texts.close, onclick: () => close() }, icon("close"))),
element("div", { class: "dialog-body" }, build(close)));
dialog.addEventListener("close", () => {
dialog.remove();
closed();
if (before?.isConnected) before.focus();
resolve(answer);
});
dialog.addEventListener("click", (event) => {
if (event.target === dialog) close();
});
document.body.append(dialog);
dialog.showModal();
dialog.querySelector("[autofocus]")?.focus();
});
}

function confirm(title, text, yes, no = texts.cancel) {
return openDialog(title, (close) => [
element("p", { class: "lead" }, text),
element("div", { class: "actions" },
element("button", { type: "button", class: "primary", autofocus: true, onclick: () => close(true) }, yes),
element("button", { type: "button", onclick: () => close(false) }, no)),
]);
}
return { openDialog, confirm };
})();
const m4 = (() => {
class UserError extends Error {}

class ServerError extends UserError {
constructor(status, code, message, problem = {}) {
super(message);
this.status = status;
this.code = code;
this.problem = problem;
}
}
return { UserError, ServerError };
})();
const m5 = (() => {
const { element } = m0;
const { UserError } = m4;
const { icon } = m1;
const { texts } = m2;
const status = element("p", { role: "status", class: "status" });
const alert = element("div", { role: "alert", class: "alert" });
const alertBox = element("div", { class: "alert-box", hidden: true }, alert,
element("button", { type: "button", class: "plain round", "aria-label": texts.dismiss, onclick: () => clearError() }, icon("close")));
const notices = element("div", { class: "notices", "aria-live": "polite" });

const messages = { status, alert: alertBox, notices };

function announce(text) {
if (status.textContent !== text) status.textContent = text;
}

let shown = null;

function fail(error) {
if (error?.name === "AbortError") return;
if (error?.status === 401) return;
if (error?.code === "unreachable" && shown?.code === "stored") return;
if (!(error instanceof UserError)) console.error(error);
shown = error;
alert.textContent = error instanceof UserError ? error.message : texts.errors.unknown;
alertBox.hidden = false;
}

function clearError() {
shown = null;
alert.textContent = "";
alertBox.hidden = true;
}

function reached() {
if (shown?.status === 0) clearError();
}

const noticeTime = 8000;
let open = [];

function note(text, actions = [], finish = () => {}, key = text) {
for (const other of open.filter((one) => one.key === key)) other.end();
const close = () => {
clearTimeout(timer);
open = open.filter((one) => one !== mine);
box.remove();
};
const choose = async (act) => {
if (!open.includes(mine)) return;
close();
try {
await act();
} catch (error) {
fail(error);
}
};
const mine = {
key,
end: () => {
close();
return finish();
},
undo: actions.length > 0 ? () => choose(actions[0].act) : null,
};
const box = element("div", { class: "notice" }, element("p", {}, text),
actions.map(({ label, act }) => element("button", { type: "button", class: "plain", onclick: () => choose(act) }, label)),
element("button", { type: "button", class: "plain round", "aria-label": texts.dismissNotice, onclick: () => mine.end() }, icon("close")));
const timer = actions.length === 0 ? setTimeout(() => mine.end(), noticeTime) : null;
open.push(mine);
notices.append(box);
}

async function endNotices() {
await Promise.all(open.map((one) => one.end()));
}

function undoLast() {
const last = open.findLast((one) => one.undo !== null);
last?.undo();
return last !== undefined;
}

addEventListener("pagehide", endNotices);
return { messages, announce, fail, clearError, reached, note, endNotices, undoLast };
})();
const m6 = (() => {
const { note } = m5;
const { texts } = m2;
const dataCache = "data";

function installWorker() {
if (!("serviceWorker" in navigator)) return;
const address = globalThis.trustedTypes?.createPolicy("worker", { createScriptURL: () => "/worker.js" }).createScriptURL("") ?? "/worker.js";
const wasControlled = navigator.serviceWorker.controller !== null;
setTimeout(() => {
navigator.serviceWorker.register(address)?.catch(() => {
});
}, 3000);
navigator.serviceWorker.addEventListener("controllerchange", () => {
if (wasControlled) note(texts.updated, [{ label: texts.reload, act: () => location.reload() }]);
});
}

async function whatWasSeen(show) {
if (!navigator.serviceWorker?.controller) return;
try {
await show();
} catch {
}
}

async function forgetData() {
localStorage.removeItem("session");
await globalThis.caches?.delete(dataCache).catch(() => {});
}

const ending = "ending";

function isEnding() {
return localStorage.getItem(ending) !== null;
}

async function beginEnding() {
localStorage.setItem(ending, "1");
if (!globalThis.caches) return;
await caches.open(ending);
const registration = await navigator.serviceWorker?.getRegistration();
await registration?.sync?.register(ending).catch(() => {});
}

async function finishEnding() {
localStorage.removeItem(ending);
await globalThis.caches?.delete(ending);
}
return { installWorker, whatWasSeen, forgetData, isEnding, beginEnding, finishEnding };
})();
const m7 = (() => {
let owner = null;
let changes = [];
let whenChanged = () => {};
const name = () => `queue of ${owner}`;

function openQueue(person, listener) {
owner = person;
whenChanged = listener;
read();
whenChanged();
}

function read() {
try {
changes = owner === null ? [] : JSON.parse(localStorage.getItem(name())) ?? [];
} catch {
changes = [];
}
}

addEventListener("storage", (event) => {
if (owner === null || event.key !== name()) return;
read();
whenChanged();
});

function write() {
if (owner === null) return;
if (changes.length === 0) localStorage.removeItem(name());
else localStorage.setItem(name(), JSON.stringify(changes));
whenChanged();
}

function waiting() {
return changes;
}

function hold(change) {
if (owner === null) return false;
read();
changes.push({ ...change, key: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}` });
try {
write();
return true;
} catch {
changes.pop();
return false;
}
}

function drop(key) {
read();
changes = changes.filter((change) => change.key !== key);
write();
}

function markFailure(key, failure) {
read();
changes = changes.map((change) => (change.key === key ? { ...change, failure, headers: failure ? change.headers : {} } : change));
write();
}

const collections = {
contact: "contacts", prospect: "prospects", item: "index/items", activity: "activities", reminder: "reminders", access: "access", token: "tokens",
};

function kindOf(row) {
return row.kind ?? Object.keys(collections).find((kind) => row[kind] !== null && typeof row[kind] === "object")
?? (row.dueAt ? "reminder" : row.what ? "access" : row.scopes ? "token" : null);
}

function shows(change, row, isThere) {
const kind = kindOf(row);
const own = `/v1/${collections[kind]}/${encodeURIComponent(row.id ?? row.what)}`;
if (change.path === own && change.method === "DELETE") return false;
if (change.path === `${own}/restore`) return true;
if (change.path === own) Object.assign(row[kind] ?? row, change.json);
if (kind !== "reminder") return isThere;
const prospect = `/v1/prospects/${encodeURIComponent(row.prospect)}`;
if (change.path === prospect && (change.method === "DELETE" || change.json?.contacted)) return false;
if (change.path === `${prospect}/reminder`) row.dueAt = change.json.at;
return isThere;
}

function overlay(answer, path) {
if (answer === null || typeof answer !== "object") return answer;
for (const change of changes) {
if (change.method === "PUT" && change.path === path) Object.assign(answer.me ?? answer, change.json);
}
const isThere = (row) => changes.reduce((is, change) => shows(change, row, is), true);
if (Array.isArray(answer.results)) answer.results = answer.results.filter(isThere);
else isThere(answer);
return answer;
}
return { openQueue, waiting, hold, drop, markFailure, overlay };
})();
const m8 = (() => {
const { texts } = m2;
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

function moment(when, now = new Date()) {
const date = new Date(when);
if (Number.isNaN(date.getTime())) return "";
const time = clock.format(date);
const days = Math.round((midnight(date) - midnight(now)) / 86_400_000);
if (days === 0) return texts.times.today(time);
if (days === 1) return texts.times.tomorrow(time);
if (days === -1) return texts.times.yesterday(time);
return texts.times.on((date.getFullYear() === now.getFullYear() ? day : dayOfYear).format(date), time);
}

function dayOf(iso) {
const date = new Date(iso);
return Number.isNaN(date.getTime()) ? "" : dayOfYear.format(date);
}

function nextNine(now = new Date()) {
const nine = new Date(now);
nine.setHours(9, 0, 0, 0);
if (nine <= now) nine.setDate(nine.getDate() + 1);
return nine;
}

function inHours(hours) {
return new Date(Date.now() + hours * 3_600_000);
}

function stamp(date) {
return date.toISOString().replace(/\.\d+Z$/, "Z");
}

function timeZone() {
return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function fieldValue(date) {
const two = (number) => String(number).padStart(2, "0");
return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

function timeIn(zone) {
try {
return new Intl.DateTimeFormat("en-GB", { weekday: "short", hour: "2-digit", minute: "2-digit", timeZone: zone }).format(new Date());
} catch {
return "";
}
}

function midnight(date) {
return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
return { moment, dayOf, nextNine, inHours, stamp, timeZone, fieldValue, timeIn };
})();
const m9 = (() => {
const { ServerError } = m4;
const { fail, note, reached } = m5;
const { hold, overlay } = m7;
const { texts } = m2;
const { moment } = m8;
let whenSignedOut = () => {};
let whenReached = () => {};

function onReached(listener) {
whenReached = listener;
}

function onSignedOut(listener) {
whenSignedOut = listener;
}

async function request(method, path, options = {}) {
const headers = { Accept: "application/json", ...(options.stored ? { "X-Stored": "1" } : {}), ...options.headers };
let body = options.body;
if (options.json !== undefined) {
body = JSON.stringify(options.json);
headers["Content-Type"] = "application/json";
} else if (options.type) {
headers["Content-Type"] = options.type;
}
const isKept = () => options.queued && hold({ what: options.queued, method, path, json: options.later ?? options.json, headers: options.headers ?? {} });
if (options.keepalive && !navigator.onLine && isKept()) return { isQueued: true };
let answer;
try {
answer = await fetch(path, {
method, headers, body, signal: options.signal, keepalive: options.keepalive ?? false,
credentials: "same-origin", redirect: "error",
});
} catch (error) {
if (error.name === "AbortError") throw error;
wasReached = false;
if (isKept()) {
note(texts.queue.kept);
return { isQueued: true };
}
throw new ServerError(0, "unreachable", texts.errors.unreachable);
}
const storedAt = answer.headers.get("X-Stored-At");
if (options.stored) {
} else if (storedAt !== null) {
wasReached = false;
fail(new ServerError(0, "stored", texts.errors.stored(moment(storedAt))));
} else {
reached();
if (!wasReached) whenReached();
wasReached = true;
}
if (!answer.ok) throw await failure(answer, options.isProbe ?? false);
if (answer.status === 204) return null;
try {
const decoded = await answer.json();
const tag = answer.headers.get("ETag");
if (tag !== null) tags.set(decoded, tag);
return method === "GET" ? overlay(decoded, path) : decoded;
} catch (error) {
if (error.name === "AbortError") throw error;
throw new ServerError(answer.status, "unreadable", texts.errors.unreadable);
}
}

let wasReached = true;

const tags = new WeakMap();

function tagOf(answer) {
return tags.get(answer);
}

async function failure(answer, isProbe) {
let problem = {};
try {
problem = await answer.json();
} catch {
}
if (answer.status === 401 && !isProbe) whenSignedOut();
const said = typeof problem.detail === "string" && problem.detail !== "" ? sentence(problem.detail) : null;
const message = said ?? texts.errors.byStatus[answer.status] ?? texts.errors.status(answer.status);
problem.tag = answer.headers.get("ETag");
return new ServerError(answer.status, problem.code ?? "", message, problem);
}

function sentence(text) {
return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

const get = (path, options) => request("GET", path, options);
const post = (path, options) => request("POST", path, options);
const put = (path, options) => request("PUT", path, options);
const patch = (path, options) => request("PATCH", path, options);
const remove = (path, options) => request("DELETE", path, options);

function path(parts, parameters = {}) {
const query = new URLSearchParams();
for (const [name, value] of Object.entries(parameters)) {
if (value !== undefined && value !== null && value !== "") query.set(name, String(value));
}
const base = "/v1/" + parts.map(encodeURIComponent).join("/");
return query.size > 0 ? `${base}?${query}` : base;
}
return { onReached, onSignedOut, request, tagOf, get, post, put, patch, remove, path };
})();
const m10 = (() => {
const { beginEnding, finishEnding, forgetData, isEnding } = m6;
const { get, post, remove } = m9;
let current = null;

function signedIn() {
return current;
}

function may(use, domain) {
const scopes = current?.scopes ?? [];
return ["all", domain, `${domain}:${use}`].some((scope) => scopes.includes(scope)) || (use === "read" && scopes.includes("read"));
}

function remembered() {
try {
current = JSON.parse(localStorage.getItem("session"));
} catch {
current = null;
}
return current;
}

const endingInterval = 20_000;

let finishing = null;

function finishSignOut() {
finishing ??= endSession().finally(() => { finishing = null; });
return finishing;
}

async function endSession() {
if (!isEnding()) return;
try {
await remove("/v1/session", { isProbe: true });
} catch (error) {
if (error.status !== 401) throw error;
}
await finishEnding();
}

const trySignOut = () => finishSignOut().catch(() => {});
addEventListener("online", trySignOut);
setInterval(trySignOut, endingInterval);

async function resume() {
await finishSignOut();
let session = null;
try {
session = await get("/v1/session", { isProbe: true });
} catch (error) {
if (error.status !== 401) throw error;
}
if (session?.person !== known()) await forgetData();
if (session !== null) localStorage.setItem("session", JSON.stringify(session));
current = session;
return current;
}

function known() {
try {
return JSON.parse(localStorage.getItem("session"))?.person;
} catch {
return undefined;
}
}

async function signIn(token) {
await finishSignOut();
await post("/v1/session", { isProbe: true, headers: { Authorization: `Bearer ${token}` } });
return resume();
}

async function pair(code) {
await post("/v1/session", { isProbe: true, json: { code } });
return resume();
}

async function signOut() {
await beginEnding();
current = null;
await forgetData();
await trySignOut();
}

function forget() {
current = null;
forgetData();
}

function removePairingCode() {
const match = /^#pair=([A-Za-z0-9._~-]+)$/.exec(location.hash);
if (!match) return null;
history.replaceState(null, "", location.pathname);
return match[1];
}
return { signedIn, may, remembered, resume, signIn, pair, signOut, forget, removePairingCode };
})();
const m11 = (() => {
const { signedIn } = m10;
const prefix = "draft ";
const name = (key) => `${prefix}${signedIn()?.person ?? ""} ${key}`;

function draftOf(key) {
try {
return JSON.parse(sessionStorage.getItem(name(key)));
} catch {
return null;
}
}

function keepDraft(key, draft) {
try {
sessionStorage.setItem(name(key), JSON.stringify(draft));
} catch {
}
}

function dropDraft(key) {
sessionStorage.removeItem(name(key));
}

function dropDrafts({ exceptOwn = false } = {}) {
const own = name("");
for (const key of Object.keys(sessionStorage)) {
if (key.startsWith(prefix) && !(exceptOwn && key.startsWith(own))) sessionStorage.removeItem(key);
}
}
return { draftOf, keepDraft, dropDraft, dropDrafts };
})();
const m12 = (() => {
const views = ["find", "contacts", "prospects", "airports", "activity", "settings"];

function route(hash = location.hash) {
const parts = hash.replace(/^#\/?/, "").split("/").filter((part) => part !== "").map(decoded);
const view = parts.shift() ?? "";
return views.includes(view) ? { view, parts } : { view: views[0], parts: [] };
}

function address(...parts) {
return "#/" + parts.map(encodeURIComponent).join("/");
}

function go(...parts) {
location.hash = address(...parts);
}

function goInstead(...parts) {
location.replace(address(...parts));
}

function addressOf(url) {
const match = /^switchboard:\/\/([a-z]+)\/([^?#]+)/.exec(url);
if (!match) return null;
const id = decoded(match[2]);
switch (match[1]) {
case "contact": return address("contacts", id);
case "prospect": return address("prospects", id);
case "airport": return address("airports", id);
case "item": return address("activity", "item", id);
case "activity": return address("activity", "doing", id);
case "find": return address("find", id);
default: return null;
}
}

function decoded(text) {
try {
return decodeURIComponent(text);
} catch {
return text;
}
}
return { route, address, go, goInstead, addressOf };
})();
const m13 = (() => {
const { element, fill } = m0;
const { icon } = m1;
const { fail } = m5;
const { get, patch, path, put, remove } = m9;
const { address } = m12;
const { may } = m10;
const { texts } = m2;
const { inHours, moment, nextNine, stamp, timeZone } = m8;
const few = () => (matchMedia("(min-width: 900px)").matches ? 2 : 1);
const interval = 60_000;

const list = element("section", { class: "due", "aria-label": texts.reminders.overdue, hidden: true });
let reminders = [];
let isExpanded = false;
let timer = null;

const dueList = list;

function followDue() {
forgetDue();
if (!may("read", "reminders")) return;
timer = setInterval(() => { if (!document.hidden) loadDue(); }, interval);
loadDue();
}

function forgetDue() {
clearInterval(timer);
timer = null;
reminders = [];
draw();
}

async function loadDue() {
if (timer === null) return;
try {
const answer = await get(path(["reminders"], { overdue: true, limit: 100 }));
const results = answer.results.filter((reminder) => new Date(reminder.dueAt) <= new Date());
if (timer === null || JSON.stringify(results) === JSON.stringify(reminders)) return;
reminders = results;
draw();
} catch (error) {
if (error.status !== 0 && error.status !== 401) fail(error);
}
}

function draw() {
const shown = isExpanded ? reminders : reminders.slice(0, few());
const rest = reminders.length - shown.length;
list.hidden = reminders.length === 0;
fill(list, element("ul", {}, shown.map(row)),
(rest > 0 || isExpanded) && element("button", {
type: "button", class: "plain", "aria-expanded": String(isExpanded), onclick: () => { isExpanded = !isExpanded; draw(); },
}, isExpanded ? texts.reminders.fewer : texts.reminders.more(rest)));
}

function row(reminder) {
const act = (action) => async () => {
try {
await action();
reminders = reminders.filter((one) => one.id !== reminder.id);
draw();
} catch (error) {
fail(error);
}
await loadDue();
};
const button = (label, action, name) => element("button", { type: "button", class: "plain", "aria-label": name, onclick: act(action) }, label);
const again = (json, time) => () => put(path(["prospects", reminder.prospect, "reminder"]), {
json, later: { at: stamp(time), timeZone: timeZone() }, queued: texts.queue.reminder(reminder.name, moment(time)),
});
return element("li", { class: "due-row" }, icon("bell"),
element("p", {}, element("a", { href: address("prospects", reminder.prospect), dir: "auto" }, texts.reminders.due(reminder.name)),
" ", element("span", { class: "small muted" }, texts.reminders.since(moment(reminder.dueAt)))),
may("write", "reminders") && element("div", { class: "due-actions" },
may("write", "prospects") && button(texts.reminders.contacted, () => patch(path(["prospects", reminder.prospect]),
{ json: { contacted: true }, queued: texts.queue.contacted(reminder.name) })),
button(texts.reminders.inHour, again({ in: 3600 }, inHours(1))),
button(texts.reminders.tomorrow, again({ timeZone: timeZone() }, nextNine())),
button(texts.reminders.dismiss, () => remove(path(["reminders", reminder.id]), { queued: texts.queue.dismissed(reminder.name) }),
texts.reminders.dismissNamed)));
}
return { dueList, followDue, forgetDue, loadDue };
})();
const m14 = (() => {
const { loadDue } = m13;
const { fail } = m5;
const { get } = m9;
const { go } = m12;
const { signedIn } = m10;
const retryTime = 15_000;
const collectingTime = 150;
const lateness = 2000;
const everything = ["contacts", "prospects", "items", "activities", "reminders", "airports"];

let stop = () => {};

function followChanges(changed) {
stopFollowing();
const collector = collecting(changed);
const name = `switchboard events of ${signedIn()?.person ?? ""}`;
const others = "BroadcastChannel" in globalThis ? new BroadcastChannel(name) : null;
const ended = new AbortController();
const began = Date.now();
let stream = null;

const handle = (event) => {
if (event.changed) collector.add(event.changed);
if (event.reminder) {
loadDue();
remind(event.reminder);
}
};
const pass = (event) => {
handle(event);
others?.postMessage(event);
};
others?.addEventListener("message", ({ data }) => handle(data));

if (others && navigator.locks) {
navigator.locks.request(name, { signal: ended.signal }, () => {
if (ended.signal.aborted) return null;
stream = openStream(pass, began);
return new Promise((resolve) => { ended.signal.addEventListener("abort", resolve); });
}).catch((error) => {
if (error.name !== "AbortError") fail(error);
});
} else {
const followVisibility = () => {
if (document.hidden) {
stream?.close();
stream = null;
} else {
stream ??= openStream(handle, began);
}
};
document.addEventListener("visibilitychange", followVisibility, { signal: ended.signal });
followVisibility();
}

stop = () => {
ended.abort();
stream?.close();
stream = null;
others?.close();
collector.stop();
};
}

function stopFollowing() {
stop();
stop = () => {};
}

function openStream(pass, began) {
let source = null;
let retry = null;
let mayMiss = true;
const open = () => {
source = new EventSource("/v1/events");
source.addEventListener("open", () => {
if (mayMiss && Date.now() - began > lateness) pass({ changed: everything });
mayMiss = false;
});
source.addEventListener("error", () => {
if (source?.readyState !== EventSource.CLOSED) return;
mayMiss = true;
get("/v1/session").catch(() => {});
clearTimeout(retry);
retry = setTimeout(open, retryTime);
});
source.addEventListener("changed", (event) => {
const kinds = parsed(event.data)?.changed;
if (Array.isArray(kinds)) pass({ changed: kinds });
});
source.addEventListener("reminder", (event) => {
const reminder = parsed(event.data);
if (reminder?.prospect) pass({ reminder });
});
};
open();
return {
close() {
clearTimeout(retry);
source.close();
source = null;
},
};
}

function collecting(changed) {
let pending = new Set();
let timer = null;
return {
add(kinds) {
for (const kind of kinds) pending.add(kind);
timer ??= setTimeout(() => {
const all = pending;
pending = new Set();
timer = null;
if (all.has("reminders") || all.has("prospects")) loadDue();
changed(all);
}, collectingTime);
},
stop() {
clearTimeout(timer);
},
};
}

function parsed(text) {
try {
return JSON.parse(text);
} catch {
return null;
}
}

function remind(reminder) {
if (!("Notification" in globalThis) || Notification.permission !== "granted" || !document.hidden) return;
try {
const shown = new Notification(reminder.title, { body: reminder.body ?? "", tag: reminder.id, icon: "/page/icon.svg" });
shown.onclick = () => {
focus();
go("prospects", reminder.prospect);
};
} catch (error) {
if (error.name !== "TypeError") fail(error);
}
}
return { followChanges, stopFollowing };
})();
const m15 = (() => {
const { element, fill } = m0;
const { icon } = m1;
const { note } = m5;
const { drop, markFailure, openQueue, waiting } = m7;
const { onReached, request } = m9;
const { texts } = m2;
const interval = 20_000;

const box = element("section", { class: "waiting", "aria-label": texts.queue.title, hidden: true });
let isSending = false;
let isExpanded = false;
let timer = null;

const waitingList = box;

function followQueue(person) {
clearInterval(timer);
openQueue(person, draw);
if (person === null) return;
timer = setInterval(sendWaiting, interval);
onReached(sendWaiting);
sendWaiting();
}

addEventListener("online", () => sendWaiting());

async function sendWaiting() {
if (isSending || !waiting().some((change) => !change.failure)) return;
isSending = true;
try {
if (navigator.locks) await navigator.locks.request("switchboard queue", { ifAvailable: true }, (lock) => (lock ? send() : null));
else await send();
} finally {
isSending = false;
}
}

async function send() {
let count = 0;
for (;;) {
const change = waiting().find((one) => !one.failure);
if (change === undefined) break;
const headers = change.method === "POST" ? { ...change.headers, "Idempotency-Key": change.key } : change.headers;
try {
await request(change.method, change.path, { json: current(change.json), headers });
} catch (error) {
if (error.status === 0 || error.status === 401 || error.status >= 500 || error.status === 429) break;
if (change.method !== "DELETE" || error.status !== 404) {
markFailure(change.key, error.status === 412 ? texts.queue.conflict : error.message);
continue;
}
}
drop(change.key);
count += 1;
}
if (count > 0) note(texts.queue.sent(count));
}

function current(json) {
if (!json?.at || new Date(json.at) > new Date()) return json;
const { at, ...rest } = json;
return { ...rest, in: 0 };
}

function draw() {
const changes = waiting();
const failed = changes.filter((change) => change.failure);
box.hidden = changes.length === 0;
const isOpen = isExpanded || failed.length > 0;
fill(box,
element("div", { class: "waiting-head" }, icon("import"), element("p", {}, texts.queue.count(changes.length)),
element("button", {
type: "button", class: "plain", "aria-expanded": String(isOpen), onclick: () => { isExpanded = !isOpen; draw(); },
}, isOpen ? texts.queue.hide : texts.queue.show)),
isOpen && element("ul", {}, changes.map((change) => element("li", {},
element("p", {}, element("span", { dir: "auto" }, change.what), change.failure && element("span", { class: "small danger" }, ` ${change.failure}`)),
change.failure && element("button", {
type: "button", class: "plain", onclick: () => { markFailure(change.key, null); sendWaiting(); },
}, texts.queue.again),
element("button", { type: "button", class: "plain danger", onclick: () => drop(change.key) }, texts.queue.discard)))));
}
return { waitingList, followQueue, sendWaiting };
})();
const m16 = (() => {
const { dueList } = m13;
const { element, fill } = m0;
const { icon } = m1;
const { announce, messages } = m5;
const { texts } = m2;
const { waitingList } = m15;
function frame(links) {
const anchors = new Map(links.map(({ view, href, name }) => [view, element("a", { href, class: "tab" }, icon(view), element("span", {}, name))]));
const title = element("h1", { tabindex: "-1" });
const content = element("div", { class: "view" });
const main = element("main", { id: "content", tabindex: "-1" },
element("div", { class: "head" }, title, messages.status), messages.alert, waitingList, dueList, content);
return {
element: element("div", { class: "frame" },
element("header", { class: "bar" },
element("p", { class: "brand" }, element("img", { src: "/page/icon.svg", alt: "", width: "32", height: "32" }), texts.name),
element("nav", { "aria-label": texts.navigation }, [...anchors.values()])),
main, messages.notices),
skip(event) {
event.preventDefault();
main.focus();
},
permit(isPermitted) {
for (const [name, anchor] of anchors) anchor.hidden = !isPermitted(name);
},
show({ view, title: text, content: shown, isNew }) {
for (const [name, anchor] of anchors) {
if (name === view) anchor.setAttribute("aria-current", "page");
else anchor.removeAttribute("aria-current");
}
document.title = `${text} · ${texts.name}`;
title.textContent = text;
if (!isNew) return;
announce("");
fill(content, shown);
},
};
}
return { frame };
})();
const m17 = (() => {
const { undoLast } = m5;
const { go } = m12;
function isTyping(event) {
const target = event.target;
if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
if (document.querySelector("dialog[open]")) return true;
return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
&& target.type !== "checkbox");
}

function focusSearch() {
const field = document.querySelector(".view .search-input");
field?.focus();
field?.select();
return field !== null;
}

function hasKeyboard() {
return matchMedia("(hover: hover) and (pointer: fine)").matches;
}

function globalKeys(views) {
document.addEventListener("keydown", (event) => {
const number = /^Digit([1-9])$/.exec(event.code)?.[1];
if (event.altKey && !event.ctrlKey && !event.metaKey && number && views[number - 1] && !document.querySelector("dialog[open]")) {
event.preventDefault();
go(views[number - 1]);
return;
}
if (isTyping(event)) return;
if (event.key === "/" && focusSearch()) event.preventDefault();
if (event.key === "u" && undoLast()) event.preventDefault();
});
}
return { isTyping, focusSearch, hasKeyboard, globalKeys };
})();
const m18 = (() => {
const { addressOf } = m12;
const { element } = m0;
function safeAddress(url) {
if (typeof url !== "string") return null;
if (url.startsWith("switchboard://")) return addressOf(url);
let parsed;
try {
parsed = new URL(url);
} catch {
return null;
}
return parsed.protocol === "https:" || parsed.protocol === "http:" ? parsed.href : null;
}

function link(url, properties = {}, ...children) {
const target = safeAddress(url);
const content = children.length > 0 ? children : [url];
if (target === null) return element("span", { class: properties.class }, content);
const leavesPage = !target.startsWith("#");
return element("a", {
href: target, target: leavesPage ? "_blank" : null, rel: leavesPage ? "noopener noreferrer" : null, ...properties,
}, content);
}

function telephone(phone) {
const digits = (phone.e164 || phone.number || "").replace(/[^+0-9*#]/g, "");
return digits === "" ? null : `tel:${digits.replace(/#/g, "%23")}`;
}

function mailbox(email) {
return `mailto:${encodeURIComponent(email).replace(/%40/g, "@")}`;
}
return { safeAddress, link, telephone, mailbox };
})();
const m19 = (() => {
const { element } = m0;
function marked(text, ranges) {
const sound = (ranges ?? []).filter(([start, length]) => start >= 0 && length > 0);
if (sound.length === 0) return [text];
const scalars = Array.from(text);
const nodes = [];
let shown = 0;
for (const [start, length] of sound) {
if (start < shown || start + length > scalars.length) continue;
if (start > shown) nodes.push(scalars.slice(shown, start).join(""));
nodes.push(element("mark", {}, scalars.slice(start, start + length).join("")));
shown = start + length;
}
if (shown < scalars.length) nodes.push(scalars.slice(shown).join(""));
return nodes;
}
return { marked };
})();
const m20 = (() => {
const { element } = m0;
const { icon } = m1;
const { marked } = m19;
const { address } = m12;
const { texts } = m2;
const icons = { contact: "contacts", prospect: "prospects", airport: "airports", item: "item", activity: "activity" };
const views = { contact: "contacts", prospect: "prospects", airport: "airports" };

function place(result) {
if (result.kind === "item") return ["activity", "item", result.id];
if (result.kind === "activity") return ["activity", "doing", result.id];
return [views[result.kind] ?? "find", result.id];
}

function rowContent(result, { showsKind = false, subtitle, note } = {}) {
const highlights = result.highlights ?? {};
const title = result.title || texts.unnamed;
const line = secondLine(result, highlights, subtitle);
const subtitleLine = line && element("span", { class: "row-subtitle", dir: "auto" }, line);
return [
element("span", { class: `row-picture kind-${result.kind}` }, picture(result)),
element("span", { class: "row-text" },
element("span", { class: "row-title", dir: "auto" }, marked(title, highlights.title ?? highlights.name)),
note ? element("span", { class: "row-notes" }, note, subtitleLine) : subtitleLine),
showsKind && element("span", { class: "row-kind" }, texts.kinds[result.kind] ?? result.kind),
["nearby", "typo", "layout"].includes(result.match) && result.kind === "airport" && result.stage
&& element("span", { class: "row-kind" }, texts.matches[result.match]),
result.airport?.distance !== null && result.airport?.distance !== undefined
&& element("span", { class: "row-kind" }, texts.airports.distance(result.airport.distance)),
];
}

function rowLink(result, options = {}) {
return element("a", { class: "row", href: address(...place(result)), onclick: options.onclick }, rowContent(result, options), options.trailing);
}

function picture(result) {
if (result.kind === "airport") return element("span", { class: "code" }, marked(result.airport?.code ?? result.id, result.highlights?.code));
if (result.kind === "contact" || result.kind === "prospect") {
const letters = initials(result.title ?? "");
if (letters !== "") return element("span", { class: "initials", "aria-hidden": "true" }, letters);
}
return icon(icons[result.kind] ?? "item");
}

function initials(name) {
const words = name.split(/\s+/).map((word) => /\p{L}/u.exec(word)?.[0] ?? "").filter((letter) => letter !== "");
const shown = words.length > 1 ? [words[0], words[words.length - 1]] : words;
return shown.join("").toLocaleUpperCase();
}

function secondLine(result, highlights, subtitle) {
if (highlights.subtitle && subtitle === undefined) return marked(result.subtitle, highlights.subtitle);
for (const [field, ranges] of Object.entries(highlights)) {
if (["title", "name", "subtitle"].includes(field) || (field === "code" && result.kind === "airport")) continue;
const text = fieldText(result[result.kind], field);
if (text) return marked(text, ranges);
}
return (subtitle ?? result.subtitle) || null;
}

function fieldText(object, field) {
let value = object;
for (const part of field.split(".")) {
if (value === null || value === undefined || !Object.hasOwn(Object(value), part)) return null;
value = value[part];
}
if (typeof value === "string") return value;
return value?.number ?? value?.address ?? value?.value ?? null;
}
return { place, rowContent, rowLink, initials };
})();
const m21 = (() => {
const { element } = m0;
const { icon } = m1;
const { safeAddress } = m18;
const { fail } = m5;
const { path, post } = m9;
const { address, go } = m12;
const { rowContent } = m20;
const { may } = m10;
const { texts } = m2;
function recordChoice(result, query, { isKeypad = false } = {}) {
if (!query || !may("write", "activities")) return;
const { kind, id, index } = result;
post("/v1/choices", { json: { kind, id, index, [isKeypad ? "keypad" : "q"]: query }, keepalive: true }).catch(() => {});
}

async function openItem(result, query = "") {
const target = safeAddress(result.item?.url);
recordChoice(result, query);
const engaged = post(path(["index", "items", result.id, "engage"]), { json: { query }, keepalive: true });
if (target === null || target.startsWith("#")) {
if (target === null) go("activity", "item", result.id);
else location.hash = target;
} else {
open(target, "_blank", "noopener,noreferrer");
}
await engaged;
}

async function continueActivity(result, query = "") {
const url = result.activity?.webpageURL;
const target = safeAddress(url);
const engaged = post(path(["activities", result.id, "engage"]), { json: { query }, keepalive: true });
if (target !== null && !target.startsWith("#")) {
open(target, "_blank", "noopener,noreferrer");
await engaged;
return;
}
const answer = await engaged;
const place = safeAddress(answer?.open);
if (place === null || place === location.hash) go("activity", "doing", result.id);
else if (place.startsWith("#")) location.hash = place;
else location.assign(place);
}

function activityRow(result) {
return element("a", {
class: "row", href: address("activity", "doing", result.id), onclick: (event) => {
if (event.ctrlKey || event.metaKey || event.shiftKey) return;
event.preventDefault();
continueActivity(result).catch(fail);
},
}, rowContent(result, { subtitle: subtitle(result) }), element("span", { class: "row-action" }, texts.activity.go, icon("go")));
}

function subtitle(result) {
const url = result.activity?.webpageURL;
if (!url) return result.subtitle;
try {
return new URL(url).host || result.subtitle;
} catch {
return result.subtitle;
}
}
return { recordChoice, openItem, continueActivity, activityRow, subtitle };
})();
const m22 = (() => {
const rowSelector = "a.row, button.row";

function enableRowKeys(list, above = () => null) {
list.addEventListener("keydown", (event) => {
const rows = [...list.querySelectorAll(rowSelector)].filter((row) => row.offsetParent !== null);
const here = rows.indexOf(event.target.closest?.(rowSelector));
if (here < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
const target = { ArrowDown: rows[here + 1], ArrowUp: here === 0 ? above() : rows[here - 1], Home: rows[0], End: rows.at(-1) }[event.key];
if (!target) return;
event.preventDefault();
target.focus();
});
}

function firstRow(list) {
return [...list.querySelectorAll(rowSelector)].find((row) => row.offsetParent !== null) ?? null;
}
return { enableRowKeys, firstRow };
})();
const m23 = (() => {
const { element, fill } = m0;
const { icon } = m1;
const { hasKeyboard, isTyping } = m17;
const { go } = m12;
const { texts } = m2;
function panes(list, hint, ...home) {
const detail = element("section", { class: "pane detail", "aria-label": texts.details, tabindex: "-1" });
const whole = element("div", { class: "panes" }, element("div", { class: "pane list" }, list), detail);
const isWide = () => matchMedia("(min-width: 900px)").matches;
let scrolled = 0;

function empty() {
const wasOpen = whole.classList.contains("shows-detail");
whole.classList.remove("shows-detail");
fill(detail, element("p", { class: "hint" }, hint));
if (wasOpen && !isWide()) scrollTo(0, scrolled);
}

detail.addEventListener("keydown", (event) => {
if (isTyping(event)) return;
const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
const button = [...detail.querySelectorAll("[aria-keyshortcuts]")].find((one) => one.getAttribute("aria-keyshortcuts") === key && !one.hidden);
if (event.key === "Escape") go(...home);
else if (button) button.click();
else return;
event.preventDefault();
});
empty();
return {
element: whole, empty,
show(content, { focuses = true } = {}) {
if (!whole.classList.contains("shows-detail")) scrolled = scrollY;
whole.classList.add("shows-detail");
const back = element("a", { class: "back button plain", href: "#/" + home.map(encodeURIComponent).join("/") }, icon("back"), texts.back);
fill(detail, back, content);
if (!focuses) return;
detail.focus({ preventScroll: true });
if (!isWide()) scrollTo(0, 0);
},
get hasFocus() { return detail.contains(document.activeElement); },
restore(row, field) {
if (row) {
row.focus({ preventScroll: true });
const { top, bottom } = row.getBoundingClientRect();
if (!isWide() && (top < 0 || bottom > innerHeight)) row.scrollIntoView({ block: "nearest" });
} else if (hasKeyboard()) field?.focus();
},
};
}
return { panes };
})();
const m24 = (() => {
const { element, fill, freshId } = m0;
const { icon } = m1;
const maximumRequests = 3;

function combobox({
words, announce, fail, clearError, label, placeholder, search, preview = () => [], option, choose, changed = () => {}, found = () => {},
below = () => null, tools = [],
}) {
const listId = freshId("results");
let running = [];
let results = [];
let active = -1;
let answered = null;
let slowTimer = null;

const input = element("input", {
type: "text", role: "combobox", class: "search-input", "aria-label": label, placeholder, autocomplete: "off",
autocapitalize: "off", autocorrect: "off", spellcheck: "false", enterkeyhint: "search", "aria-autocomplete": "list",
"aria-expanded": "false", "aria-controls": listId, dir: "auto",
});
const clear = element("button", {
type: "button", class: "plain round search-clear", "aria-label": words.clear, hidden: true,
onclick: () => { set(""); input.focus(); },
}, icon("close"));
const list = element("ul", { role: "listbox", id: listId, class: "options", "aria-label": words.results, hidden: true });
const nothing = element("p", { class: "nothing", hidden: true });
const field = element("div", { class: "search" },
element("div", { class: "search-box" }, icon("find"), input, clear), tools, list, nothing);

const isOpen = () => input.getAttribute("aria-expanded") === "true";

function mark(index) {
const options = list.children;
if (active >= 0) options[active]?.setAttribute("aria-selected", "false");
active = index;
const chosen = options[index];
if (!chosen) {
input.removeAttribute("aria-activedescendant");
return;
}
chosen.setAttribute("aria-selected", "true");
input.setAttribute("aria-activedescendant", chosen.id);
chosen.scrollIntoView({ block: "nearest" });
}

function open() {
const hasRows = results.length > 0;
input.setAttribute("aria-expanded", String(hasRows));
list.hidden = !hasRows;
nothing.hidden = hasRows;
nothing.textContent = hasRows ? "" : words.nothing(input.value.trim());
changed(input.value.trim(), true);
found(results);
}

function close() {
clearTimeout(slowTimer);
input.setAttribute("aria-expanded", "false");
list.hidden = true;
nothing.hidden = true;
mark(-1);
changed(input.value.trim(), false);
found([]);
}

function show(answer) {
const chosen = results[active]?.id;
results = answer.results;
active = -1;
input.removeAttribute("aria-activedescendant");
fill(list, results.map((result, index) => element("li", {
role: "option", id: `${listId}-${index}`, class: "option", "aria-selected": "false",
onpointerdown: (event) => { if (event.pointerType === "mouse") event.preventDefault(); },
onclick: () => pick(index),
}, option(result))));
open();
const again = results.findIndex((result) => result.id === chosen);
if (chosen !== undefined && again >= 0) mark(again);
announce(words.count(results.length, answer.final !== false));
}

function pick(index) {
const result = results[index];
if (result) choose(result, input.value.trim());
}

function stop() {
for (const one of running) one.controller.abort();
running = [];
}

function forget() {
stop();
clearTimeout(slowTimer);
answered = null;
results = [];
fill(list);
announce("");
clearError();
close();
}

function ask() {
const query = input.value.trim();
clear.hidden = input.value === "";
if (query === "") {
forget();
return null;
}
if (query === answered) {
open();
return null;
}
const known = preview(query);
if (known.length > 0) show({ results: known, final: false });
const last = running.at(-1);
if (last?.query === query) return last.promise;
const mine = { query, controller: new AbortController() };
running.push(mine);
if (running.length > maximumRequests) running.shift().controller.abort();
mine.promise = run(mine);
return mine.promise;
}

async function run(mine) {
clearTimeout(slowTimer);
slowTimer = setTimeout(() => announce(words.searching), 500);
try {
const answer = await search(mine.query, mine.controller.signal);
if (!running.includes(mine)) return;
for (const older of running.splice(0, running.indexOf(mine) + 1)) {
if (older !== mine) older.controller.abort();
}
clearTimeout(slowTimer);
clearError();
answered = mine.query;
const typed = input.value.trim();
if (mine.query === typed || preview(typed).length === 0) show(answer);
} catch (error) {
if (!running.includes(mine)) return;
running = running.filter((one) => one !== mine);
clearTimeout(slowTimer);
announce("");
answered = null;
if (preview(input.value.trim()).length === 0) {
results = [];
fill(list);
close();
}
fail(error);
}
}

function set(text) {
input.value = text;
return ask();
}

input.addEventListener("input", ask);
input.addEventListener("keydown", async (event) => {
if (event.isComposing) return;
const last = results.length - 1;
switch (event.key) {
case "ArrowDown":
event.preventDefault();
if (input.value.trim() === "") below()?.focus();
else if (!isOpen()) { await ask(); if (isOpen()) mark(0); } else mark(active >= last ? 0 : active + 1);
break;
case "ArrowUp":
event.preventDefault();
if (isOpen()) mark(active <= 0 ? last : active - 1);
break;
case "PageDown":
if (isOpen()) { event.preventDefault(); mark(Math.min(last, active + 8)); }
break;
case "PageUp":
if (isOpen()) { event.preventDefault(); mark(Math.max(0, active - 8)); }
break;
case "Enter":
event.preventDefault();
if (input.value.trim() !== answered) await ask();
if (isOpen()) pick(Math.max(0, active));
break;
case "Escape":
if (isOpen() || !nothing.hidden) { event.preventDefault(); stop(); close(); } else if (input.value !== "") {
event.preventDefault();
set("");
}
break;
default:
}
});

return {
element: field, input, set,
settle(text) {
input.value = text;
clear.hidden = text === "";
forget();
},
close() {
stop();
close();
},
refresh: () => {
const isAsking = running.length > 0;
answered = null;
stop();
return isAsking || isOpen() || !nothing.hidden ? ask() : undefined;
},
get query() { return input.value.trim(); },
get isOpen() { return isOpen() || !nothing.hidden; },
};
}
return { combobox };
})();
const m25 = (() => {
const { combobox } = m24;
const { announce, clearError, fail } = m5;
const { texts } = m2;
function searchField(options) {
return combobox({ words: texts.search, announce, fail, clearError, ...options });
}
return { searchField };
})();
const m26 = (() => {
const enough = 88;

const swiped = new Set();
const waiting = new Set();

function afterSwipe(task) {
if (swiped.size > 0) waiting.add(task);
else task();
}

function finish(row) {
swiped.delete(row);
if (swiped.size > 0) return;
const tasks = [...waiting];
waiting.clear();
for (const task of tasks) task();
}

function swipeable(row, moved, { right, left }) {
let start = null;
let distance = 0;
const move = (pixels) => {
moved.style.transform = pixels === 0 ? "" : `translateX(${pixels}px)`;
row.classList.toggle("swiped-right", pixels > 0);
row.classList.toggle("swiped-left", pixels < 0);
row.classList.toggle("swiped-enough", Math.abs(pixels) >= enough);
};
const end = (event) => {
if (start === null || event.pointerId !== start.id) return;
const done = event.type === "pointerup" && Math.abs(distance) >= enough;
const wasRight = distance > 0;
start = null;
moved.classList.remove("moving");
move(0);
distance = 0;
if (done) (wasRight ? right : left)();
finish(row);
};
row.addEventListener("pointerdown", (event) => {
if (event.pointerType === "mouse" || !event.isPrimary) return;
start = { id: event.pointerId, x: event.clientX, y: event.clientY };
swiped.add(row);
distance = 0;
});
row.addEventListener("pointermove", (event) => {
if (start === null || event.pointerId !== start.id) return;
const sideways = event.clientX - start.x;
if (distance === 0) {
if (Math.abs(sideways) < 12 || Math.abs(sideways) < Math.abs(event.clientY - start.y)) return;
row.setPointerCapture(event.pointerId);
moved.classList.add("moving");
}
distance = Math.max(-140, Math.min(140, sideways));
move(distance);
});
row.addEventListener("pointerup", end);
row.addEventListener("pointercancel", end);
row.addEventListener("click", (event) => {
if (!row.classList.contains("was-swiped")) return;
event.preventDefault();
event.stopPropagation();
}, true);
row.addEventListener("pointerup", () => {
if (!moved.classList.contains("moving") && distance === 0) return;
row.classList.add("was-swiped");
setTimeout(() => row.classList.remove("was-swiped"), 50);
}, true);
}
return { afterSwipe, swipeable };
})();
const m27 = (() => {
const { element, fill } = m0;
const { fail } = m5;
const { whatWasSeen } = m6;
const { afterSwipe } = m26;
const pageSize = 100;
const margin = 12;
const rowHeight = 3.875;
const missing = {};

function windowedList({ label, load, row, empty, loaded = () => {}, isHidden = () => false, scrolled = () => {} }) {
let results = [];
let hidden = [];
let total = 0;
let loading = new Map();
const elements = new Map();
const list = element("ul", { class: "rows", "aria-label": label });
const none = element("div", { class: "empty" });
const whole = element("div", { class: "windowed" }, list, none);

const height = () => rowHeight * parseFloat(getComputedStyle(document.documentElement).fontSize);
const covered = () => parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
const count = () => total - hidden.length;
const positionOf = (number) => hidden.reduce((position, other) => (other <= position ? position + 1 : position), number);
const numberOf = (position) => position - hidden.filter((other) => other < position).length;

function seen() {
const { top } = list.getBoundingClientRect();
const first = Math.floor(-top / height());
return { first: Math.max(0, first), end: Math.min(count(), first + Math.ceil(innerHeight / height()) + 1) };
}

function render() {
if (list.offsetParent === null) return;
const { first, end } = seen();
scrolled(Math.max(0, Math.round((covered() - list.getBoundingClientRect().top) / height())));
const wanted = new Set();
for (let number = Math.max(0, first - margin); number < Math.min(count(), end + margin); number += 1) wanted.add(number);
for (const [number, item] of elements) {
if (wanted.has(number) || (number < count() && item.contains(document.activeElement))) continue;
item.remove();
elements.delete(number);
}
for (const number of wanted) if (!elements.has(number)) elements.set(number, itemOf(number));
let before = null;
for (const number of [...elements.keys()].sort((one, other) => one - other)) {
const item = elements.get(number);
if (item.parentNode !== list || item.previousElementSibling !== before) list.insertBefore(item, before ? before.nextSibling : list.firstChild);
before = item;
}
for (const number of wanted) {
const page = Math.floor(positionOf(number) / pageSize);
if (results[positionOf(number)] === undefined && !loading.has(page)) loadPage(page).catch(fail);
}
}

function itemOf(number) {
const result = results[positionOf(number)];
const item = element("li", {
class: result ? "item" : "item pending", "data-id": result?.id, "aria-setsize": count(), "aria-posinset": number + 1, "aria-busy": result ? null : "true",
});
item.style.top = `${number * rowHeight}rem`;
if (result) item.append(...[row(result, item)].flat().filter(Boolean));
return item;
}

function draw() {
afterSwipe(redraw);
}

function redraw() {
const focused = list.contains(document.activeElement) ? document.activeElement : null;
const id = focused?.closest("li")?.dataset.id;
const wasBox = focused?.matches("input");
hidden = [];
results.forEach((result, position) => { if (result === missing || isHidden(result)) hidden.push(position); });
list.style.height = `${count() * rowHeight}rem`;
list.hidden = count() === 0;
fill(none, count() === 0 ? empty() : []);
for (const item of elements.values()) item.remove();
elements.clear();
render();
if (id !== undefined) rowOf(id, wasBox)?.focus({ preventScroll: true });
loaded(count());
}

function place(rows, page, answer) {
total = answer.total;
for (let index = 0; index < Math.min(pageSize, total - page * pageSize); index += 1) {
rows[page * pageSize + index] = answer.results[index] ?? missing;
}
}

function loadPage(page) {
const loads = loading;
const promise = load(String(page * pageSize), pageSize, null).then((answer) => {
if (loads !== loading) return;
place(results, page, answer);
results.length = Math.min(results.length, total);
draw();
}).finally(() => loads.delete(page));
loads.set(page, promise);
return promise;
}

async function restart() {
results = [];
hidden = [];
total = 0;
await reload();
if (list.getBoundingClientRect().top < 0) scrollTo(0, 0);
}

async function reload() {
const { first, end } = list.offsetParent === null ? { first: 0, end: 1 } : seen();
const anchor = results[positionOf(first)]?.id;
const pages = new Set([first, Math.max(first, end - 1)].map((number) => Math.floor(positionOf(Math.max(0, Math.min(number, count() - 1))) / pageSize)));
const loads = new Map();
loading = loads;
if (total === 0) {
await whatWasSeen(async () => {
const answer = await load("0", pageSize, null, true);
if (total > 0 || loads !== loading) return;
place(results, 0, answer);
draw();
});
}
const answers = await Promise.all([...pages].map(async (page) => [page, await load(String(page * pageSize), pageSize, null)]));
if (loads !== loading) return;
const fresh = [];
for (const [page, answer] of answers) place(fresh, page, answer);
results = fresh;
draw();
const moved = anchor === undefined || first === 0 ? -1 : fresh.findIndex((result) => result?.id === anchor);
if (moved >= 0 && numberOf(moved) !== first) scrollBy(0, (numberOf(moved) - first) * height());
}

function rowOf(id, box = false) {
render();
return list.querySelector(`li[data-id="${CSS.escape(id)}"] ${box ? "input" : "a.row"}`);
}

function scrollToRow(number) {
const top = list.getBoundingClientRect().top + scrollY;
scrollTo(0, number === 0 && top < innerHeight / 2 ? 0 : top + number * height() - covered());
render();
}

async function focusRow(number) {
scrollToRow(number);
const page = Math.floor(positionOf(number) / pageSize);
await loading.get(page);
elements.get(number)?.querySelector("a.row")?.focus();
}

let frame = 0;
const renderSoon = () => {
cancelAnimationFrame(frame);
frame = requestAnimationFrame(render);
};
addEventListener("scroll", renderSoon, { passive: true });
addEventListener("resize", renderSoon);
list.addEventListener("keydown", (event) => {
if (!["Home", "End"].includes(event.key) || event.altKey || event.ctrlKey || event.metaKey || count() === 0) return;
event.preventDefault();
event.stopImmediatePropagation();
focusRow(event.key === "Home" ? 0 : count() - 1).catch(fail);
});

return { element: whole, list, reload, restart, draw, rowOf, scrollToRow, get results() { return results.filter((result) => result && result !== missing); } };
}
return { windowedList };
})();
const m28 = (() => {
const { element, fill } = m0;
const { activityRow, continueActivity, openItem, subtitle } = m21;
const { icon } = m1;
const { link } = m18;
const { firstRow, enableRowKeys } = m22;
const { announce, fail, note } = m5;
const { panes } = m23;
const { get, path, remove } = m9;
const { go } = m12;
const { rowContent, rowLink } = m20;
const { searchField } = m25;
const { texts } = m2;
const { dayOf, moment } = m8;
const { windowedList } = m27;
function activityView() {
let open = null;
let activities = [];
const leaving = new Set();
const doing = element("section", { class: "block" });
const items = windowedList({
label: texts.activity.items,
load: (cursor, limit, signal, stored = false) => get(path(["index", "items"], { withoutActivities: true, cursor, limit }), { signal, stored }),
row: (result) => rowLink(result),
isHidden: (result) => leaving.has(`item/${result.id}`),
empty: () => (doing.childElementCount > 0 ? [] : [element("h2", {}, texts.activity.emptyTitle), element("p", {}, texts.activity.empty)]),
loaded: (count) => {
itemsTitle.hidden = count === 0;
itemsCount.textContent = texts.activity.count(count);
},
});
const itemsCount = element("span", { class: "small" });
const itemsTitle = element("h2", { hidden: true }, texts.activity.items, " ", itemsCount);
const home = element("div", {}, doing, element("section", { class: "block" }, itemsTitle, items.element));

const search = searchField({
label: texts.activity.label, placeholder: texts.activity.placeholder,
search: (query, signal) => get(path(["index", "search"], { q: query, limit: 30 }), { signal }),
option: (result) => rowContent(result),
choose: (result, query) => openItem(result, query).catch(fail),
changed: (query, isOpen) => {
home.hidden = isOpen;
if (!isOpen && items.results.length > 0) items.draw();
},
below: () => firstRow(home),
});
enableRowKeys(home, () => search.input);
const both = panes([search.element, home], texts.activity.pick, "activity");

async function reload() {
const answer = await get(path(["activities"], { limit: 20 }));
activities = answer.results.filter((result) => !leaving.has(`doing/${result.id}`));
const current = activities.filter((result) => result.activity?.isCurrent);
const before = activities.filter((result) => !result.activity?.isCurrent);
const focused = doing.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
fill(doing, list(texts.activity.now, current), list(texts.activity.before, before));
if (focused !== null) doing.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
await items.reload();
announce("");
}

function list(title, results) {
return results.length > 0 && [element("h2", {}, title),
element("ul", { class: "rows" }, results.map((result) => element("li", { class: "item" }, activityRow(result))))];
}

function showDoing(result) {
const activity = result.activity;
both.show(element("article", { class: "thing" },
element("h2", { dir: "auto" }, result.title),
element("p", { class: "muted", dir: "auto" }, subtitle(result)),
element("p", { class: "muted" }, activity.endedAt ? texts.activity.ended(moment(activity.endedAt)) : texts.activity.began(moment(activity.beganAt))),
element("div", { class: "actions" },
element("button", { type: "button", class: "primary", onclick: () => continueActivity(result).catch(fail) }, texts.activity.go),
eraseButton(`doing/${result.id}`, result.title, ["activities", result.id])),
activity.webpageURL ? element("p", {}, link(activity.webpageURL)) : element("p", { class: "muted" }, texts.activity.noPlace)));
}

function showItem(result) {
const item = result.item;
const facts = [
[texts.activity.fields.domain, item.domain], [texts.activity.fields.contentType, item.contentType],
[texts.activity.fields.keywords, item.keywords?.join(", ")],
[texts.activity.fields.url, item.url && link(item.url)],
].filter(([, value]) => value);
both.show(element("article", { class: "thing" },
element("h2", { dir: "auto" }, item.title || result.id),
item.contentDescription && element("p", { class: "long", dir: "auto" }, item.contentDescription),
element("div", { class: "actions" },
item.url && element("button", { type: "button", class: "primary", onclick: () => openItem(result).catch(fail) }, texts.activity.open),
eraseButton(`item/${result.id}`, item.title || result.id, ["index", "items", result.id])),
element("dl", { class: "facts" }, facts.map(([name, value]) => [element("dt", {}, name), element("dd", { dir: "auto" }, value)])),
element("p", { class: "small muted" }, item.expiresAt ? texts.activity.expires(dayOf(item.expiresAt)) : texts.activity.never)));
}

function eraseButton(key, name, parts) {
return element("button", {
type: "button", class: "button danger", onclick: () => {
leaving.add(key);
go("activity");
reload().catch(fail);
const stay = () => {
leaving.delete(key);
return reload();
};
note(texts.activity.deleted(name), [{ label: texts.undo, act: stay }], () =>
remove(path(parts), { keepalive: true, queued: texts.queue.removed(name) }).catch(fail).finally(() => stay().catch(fail)));
},
}, icon("remove"), texts.activity.delete);
}

return {
element: both.element,
async show([kind, id], isNew) {
const before = open;
open = id === undefined ? null : `${kind}/${id}`;
if (isNew) await reload();
if (id === undefined) {
both.empty();
both.restore(before ? items.rowOf(before.replace(/^[a-z]+\//, "")) : null, search.input);
} else if (kind === "doing") {
const known = activities.find((result) => result.id === id);
if (known) showDoing(known);
else go("activity");
} else {
const answer = await get(path(["index", "items", id]));
if (open === `${kind}/${id}`) showItem({ kind: "item", id, ...answer, item: answer.item ?? answer });
}
},
async refresh(changed) {
if (!changed.has("items") && !changed.has("activities")) return;
await reload();
await search.refresh();
},
};
}
return { activityView };
})();
const m29 = (() => {
const [a1, a2, a3, a4] = [1.340264, -0.081106, 0.000893, 0.003796];
const root3 = Math.sqrt(3);

function project(latitude, longitude) {
const theta = Math.asin(root3 / 2 * Math.sin(latitude * Math.PI / 180));
const squared = theta * theta;
const sixth = squared * squared * squared;
const x = 2 * root3 * (longitude * Math.PI / 180) * Math.cos(theta)
/ (3 * (9 * a4 * sixth * squared + 7 * a3 * sixth + 3 * a2 * squared + a1));
const y = theta * (a4 * sixth * squared + a3 * sixth + a2 * squared + a1);
return [x, y];
}
return { project };
})();
const m30 = (() => {
const { element } = m0;
const { UserError } = m4;
const { fail } = m5;
const { project } = m29;
const { get } = m9;
const { texts } = m2;
const world = { left: -2.62, right: 2.72, bottom: -0.88, top: 1.2 };

function airportMap({ choose }) {
const canvas = element("canvas", { class: "map", role: "img", "aria-label": texts.airports.mapLabel(0) });
const tip = element("span", { class: "map-tip", hidden: true, "aria-hidden": "true" });
const whole = element("div", { class: "map-box" }, canvas, tip);
let snapshot = [];
let dots = [];
let marked = [];
let view = { ...world };
let moving = 0;
let loading = null;

function load() {
loading ??= get("/v1/airports/list?language=en").then(({ airports }) => {
snapshot = airports;
dots = airports.map((airport, rank) => dot(airport, rank));
draw();
}).catch((error) => {
loading = null;
fail(error.status === 0 ? error : new UserError(texts.airports.mapFailed, { cause: error }));
});
return loading;
}

function dot(airport, rank) {
const [x, y] = project(airport.latitude, airport.longitude);
return { code: airport.code, name: airport.name, x, y, popularity: airport.popularity ?? 0, rank };
}

function mark(airports) {
marked = airports.filter((airport) => Number.isFinite(airport.latitude) && Number.isFinite(airport.longitude))
.slice(0, 30).map((airport, rank) => dot(airport, rank));
canvas.setAttribute("aria-label", texts.airports.mapLabel(marked.length));
moveTo(marked.length > 0 ? around(marked) : world);
}

function around(points) {
const xs = points.map((point) => point.x);
const ys = points.map((point) => point.y);
const ratio = (world.right - world.left) / (world.top - world.bottom);
const height = Math.max(0.6, 1.6 * (Math.max(...ys) - Math.min(...ys)), 1.6 * (Math.max(...xs) - Math.min(...xs)) / ratio);
if (height >= world.top - world.bottom) return world;
const x = (Math.max(...xs) + Math.min(...xs)) / 2;
const y = (Math.max(...ys) + Math.min(...ys)) / 2;
return { left: x - height * ratio / 2, right: x + height * ratio / 2, bottom: y - height / 2, top: y + height / 2 };
}

function moveTo(target) {
const from = { ...view };
const began = performance.now();
const length = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 450;
cancelAnimationFrame(moving);
const step = (now) => {
const part = length === 0 ? 1 : Math.min(1, Math.max(0, (now - began) / length));
const eased = 1 - (1 - part) ** 3;
for (const side of Object.keys(view)) view[side] = from[side] + (target[side] - from[side]) * eased;
draw();
if (part < 1) moving = requestAnimationFrame(step);
};
moving = requestAnimationFrame(step);
}

const place = ({ x, y }, width, height) => [
(x - view.left) / (view.right - view.left) * width, (view.top - y) / (view.top - view.bottom) * height,
];

function draw() {
const box = canvas.getBoundingClientRect();
if (box.width === 0) return;
const scale = devicePixelRatio || 1;
const [width, height] = [box.width, box.height];
if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
canvas.width = Math.round(width * scale);
canvas.height = Math.round(height * scale);
}
const pen = canvas.getContext("2d");
const colour = (name) => getComputedStyle(canvas).getPropertyValue(name).trim();
const [land, accent, ink, paper] = ["--map-dot", "--accent", "--ink", "--surface"].map(colour);
pen.setTransform(scale, 0, 0, scale, 0, 0);
pen.clearRect(0, 0, width, height);
const zoom = Math.min(2.4, Math.sqrt((world.right - world.left) / (view.right - view.left)));
const size = width / 560;
pen.fillStyle = land;
for (const point of dots) {
const [x, y] = place(point, width, height);
if (x < -9 || y < -9 || x > width + 9 || y > height + 9) continue;
pen.globalAlpha = marked.length > 0 ? 0.5 : 0.55 + 0.45 * point.popularity;
pen.beginPath();
pen.arc(x, y, Math.max(0.8, (0.7 + 2.1 * point.popularity ** 6) * size * zoom), 0, 2 * Math.PI);
pen.fill();
}
pen.globalAlpha = 1;
label(pen, width, height, { accent, ink, paper });
}

function label(pen, width, height, { accent, ink, paper }) {
const taken = [];
pen.font = "600 12px system-ui, sans-serif";
pen.textBaseline = "middle";
for (const point of [...marked].reverse()) {
const [x, y] = place(point, width, height);
pen.beginPath();
pen.arc(x, y, point.rank === 0 ? 6.5 : 5, 0, 2 * Math.PI);
pen.fillStyle = accent;
pen.fill();
pen.lineWidth = 2;
pen.strokeStyle = paper;
pen.stroke();
}
for (const point of marked) {
const [x, y] = place(point, width, height);
const wide = pen.measureText(point.code).width;
const left = x + 10 + wide > width ? x - 10 - wide : x + 10;
const area = [left - 2, y - 8, left + wide + 2, y + 8];
if (taken.some((other) => area[0] < other[2] && other[0] < area[2] && area[1] < other[3] && other[1] < area[3])) continue;
taken.push(area);
pen.lineWidth = 4;
pen.lineJoin = "round";
pen.strokeStyle = paper;
pen.strokeText(point.code, left, y);
pen.fillStyle = ink;
pen.fillText(point.code, left, y);
}
}

function nearest(event) {
const box = canvas.getBoundingClientRect();
let best = null;
let least = 16 * 16;
for (const point of [...marked, ...dots]) {
const [x, y] = place(point, box.width, box.height);
const squared = (x - event.clientX + box.left) ** 2 + (y - event.clientY + box.top) ** 2;
if (squared < least) [best, least] = [point, squared];
}
return best;
}

canvas.addEventListener("pointermove", (event) => {
const point = event.pointerType === "mouse" ? nearest(event) : null;
tip.hidden = point === null;
canvas.classList.toggle("pointing", point !== null);
if (point === null) return;
const box = canvas.getBoundingClientRect();
const [x, y] = place(point, box.width, box.height);
tip.textContent = `${point.code} ${point.name}`;
tip.style.left = `${Math.min(Math.max(x, 70), box.width - 70)}px`;
tip.style.top = `${y}px`;
});
canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
canvas.addEventListener("click", (event) => {
const point = nearest(event);
if (point !== null) choose(point.code);
});
new ResizeObserver(draw).observe(canvas);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

const popular = (count) => load().then(() => snapshot.slice(0, count));

const known = () => snapshot;

return { element: whole, load, mark, popular, known };
}
return { airportMap };
})();
const m31 = (() => {
const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase("en");

let folded = { airports: null, rows: [] };

function foldedRow(airport) {
const others = (airport.names ?? []).map(fold);
return { airport, codes: [airport.code, airport.cityCode].filter(Boolean).map(fold), city: fold(airport.city), name: fold(airport.name), others };
}

function previewAirports(airports, query, limit) {
if (folded.airports !== airports) folded = { airports, rows: airports.map(foldedRow) };
const wanted = fold(query.trim());
if (wanted === "") return [];
const grade = ({ codes, city, name, others }) => {
if (codes.includes(wanted)) return 0;
if (city.startsWith(wanted)) return 1;
if (name.startsWith(wanted) || others.some((other) => other.startsWith(wanted))) return 2;
return [city, name, ...others].some((text) => text.includes(` ${wanted}`)) ? 3 : null;
};
return folded.rows.map((row) => ({ airport: row.airport, grade: grade(row) })).filter((row) => row.grade !== null)
.sort((one, other) => one.grade - other.grade).slice(0, limit).map((row) => row.airport);
}
return { previewAirports };
})();
const m32 = (() => {
function airportRow(airport, language = "en") {
const subtitle = [airport.city, countryName(airport.country, language)].filter(Boolean).join(", ");
return { kind: "airport", id: airport.code, title: airport.name, subtitle, highlights: {}, airport };
}

function withCities(results) {
const shown = new Set();
return results.flatMap((result) => {
const nested = (result.airports ?? []).slice(0, 6).map((airport) => ({
kind: "airport", id: airport.code, title: airport.name, subtitle: "", highlights: {}, airport, isNested: true,
}));
return [result, ...nested].filter((row) => {
if (shown.has(row.id)) return false;
shown.add(row.id);
return true;
});
});
}

function countryName(code, language = "en") {
try {
return new Intl.DisplayNames([language], { type: "region" }).of(code);
} catch {
return code;
}
}
return { airportRow, withCities, countryName };
})();
const m33 = (() => {
const { confirm } = m3;
const { get, path, put } = m9;
const { signedIn } = m10;
const { texts } = m2;
async function accessStatus(what) {
if (!signedIn()) return { what, status: "notDetermined", purpose: texts.purposes[what] };
const answer = await get("/v1/access");
return answer.results.find((grant) => grant.what === what) ?? { what, status: "notDetermined", purpose: texts.purposes[what] };
}

function setAccess(what, status) {
return put(path(["access", what]), { json: { status }, queued: texts.queue.access(texts.access.what[what] ?? what, texts.access.status[status]) });
}

async function ensureAccess(what) {
const grant = await accessStatus(what);
if (grant.status === "authorized") return true;
const agreed = await confirm(texts.access.ask[what], texts.purposes[what] ?? grant.purpose, texts.access.allow, texts.access.notNow);
if (!agreed) return false;
if (signedIn()) await setAccess(what, "authorized");
return true;
}

async function withAccess(what, task) {
try {
return await task();
} catch (error) {
if (error.code !== "accessNotGranted") throw error;
}
return await ensureAccess(what) ? task() : null;
}
return { accessStatus, setAccess, ensureAccess, withAccess };
})();
const m34 = (() => {
const { ensureAccess } = m33;
const { UserError } = m4;
const { texts } = m2;
async function coarseLocation() {
if (!navigator.geolocation || !isSecureContext) throw new UserError(texts.airports.unavailable);
if (!(await ensureAccess("location"))) return null;
const position = await new Promise((resolve, reject) => {
navigator.geolocation.getCurrentPosition(resolve, reject, { enableHighAccuracy: false, timeout: 15_000, maximumAge: 600_000 });
}).catch((error) => {
throw new UserError(error.code === 1 ? texts.airports.refused : texts.airports.noPlace, { cause: error });
});
return rounded(position.coords);
}

function rounded({ latitude, longitude }) {
return { latitude: Math.round(latitude * 100) / 100, longitude: Math.round(longitude * 100) / 100 };
}
return { coarseLocation, rounded };
})();
const m35 = (() => {
const { countryName } = m32;
const { element } = m0;
const { rowLink } = m20;
const { texts } = m2;
const { timeIn } = m8;
function airportDetail(airport, airports) {
const names = texts.airports.fields;
const facts = [
[names.code, airport.isCity ? null : airport.code], [names.icao, airport.icao],
[names.city, airport.isCity ? null : airport.city],
[names.region, airport.region], [names.country, countryName(airport.country)],
[names.timeZone, airport.timeZone && `${timeIn(airport.timeZone)} (${airport.timeZone.replaceAll("_", " ")})`],
[names.place, position(airport)],
].filter(([, value]) => value);
return element("article", { class: "airport" },
element("header", { class: "person-head" },
element("span", { class: "portrait code", "aria-hidden": "true" }, airport.code),
element("div", {}, element("h2", { dir: "auto" }, airport.name),
element("p", { class: "muted" }, airport.isCity ? texts.airports.cityAirports(airports.length) : airport.city))),
element("dl", { class: "facts" }, facts.map(([name, value]) => [element("dt", {}, name), element("dd", { dir: "auto" }, value)])),
airports.length > 0 && [element("h3", {}, texts.airports.anyOf(airport.name)), element("ul", { class: "rows" }, airports.map((one) =>
element("li", { class: "item" }, rowLink({ kind: "airport", id: one.code, title: one.name, subtitle: "", airport: one }))))]);
}

function position({ latitude, longitude }) {
if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) return null;
return `${Math.abs(latitude).toFixed(2)}° ${latitude < 0 ? "S" : "N"}, ${Math.abs(longitude).toFixed(2)}° ${longitude < 0 ? "W" : "E"}`;
}
return { airportDetail };
})();
const m36 = (() => {
const { airportMap } = m30;
const { previewAirports } = m31;
const { airportRow, withCities } = m32;
const { element, fill } = m0;
const { recordChoice } = m21;
const { icon } = m1;
const { firstRow, enableRowKeys } = m22;
const { announce, fail } = m5;
const { panes } = m23;
const { coarseLocation } = m34;
const { get, path, post } = m9;
const { go } = m12;
const { rowContent, rowLink } = m20;
const { searchField } = m25;
const { signedIn } = m10;
const { texts } = m2;
const { airportDetail } = m35;
function airportsView() {
let open = null;
let near = null;
const map = airportMap({ choose: (code) => go("airports", code) });
const nearest = element("section", { class: "block" });
const recent = element("section", { class: "block" });
const popular = element("section", { class: "block" });
const offers = element("div", { class: "offers" }, nearest, recent, popular);

const search = searchField({
label: texts.airports.label, placeholder: texts.airports.placeholder,
search: async (query, signal) => {
const answer = await get(path(["airports"], { q: query, limit: 20 }), { signal });
return { ...answer, results: withCities(answer.results) };
},
preview: (query) => previewAirports(map.known(), query, 10).map((airport) => airportRow(airport)),
option: (result) => (result.isNested ? [element("span", { class: "nested", "aria-hidden": "true" }), rowContent(result)] : rowContent(result)),
choose: (result, query) => {
recordChoice(result, query);
choose(result.id);
},
changed: (query, isOpen) => { offers.hidden = isOpen; },
found: (results) => {
if (open === null) map.mark(results.map((result) => result.airport));
},
below: () => firstRow(offers) ?? nearest.querySelector("button"),
});
enableRowKeys(offers, () => search.input);
const both = panes([search.element, offers], "", "airports");
both.element.classList.add("with-map");
both.element.prepend(map.element);

function choose(code) {
go("airports", code);
if (!signedIn()) return;
post(path(["airports", "recent"]), { json: { code } }).then(loadRecent).catch((error) => {
if (error.status !== 403) fail(error);
});
}

function rows(title, results) {
return [element("h2", {}, title), element("ul", { class: "rows" }, results.map((result) => element("li", { class: "item" },
rowLink(result, {
onclick: (event) => {
if (event.ctrlKey || event.metaKey || event.shiftKey) return;
event.preventDefault();
choose(result.id);
},
}))))];
}

async function loadRecent() {
if (!signedIn()) return;
try {
const { results } = await get(path(["airports", "recent"]));
fill(recent, results.length > 0 ? rows(texts.airports.recent, results.slice(0, 5)) : []);
} catch (error) {
if (error.status !== 403) throw error;
}
}

async function loadPopular() {
if (popular.childElementCount > 0) return;
const airports = await map.popular(12);
fill(popular, airports.length > 0 ? rows(texts.airports.popular, airports.map((airport) => airportRow(airport))) : []);
}

function offerNearest() {
fill(nearest, element("h2", {}, texts.airports.nearest),
element("button", { type: "button", class: "button", onclick: () => showNearest().catch(fail) }, icon("place"), texts.airports.showNearest),
element("p", { class: "small muted" }, texts.purposes.location));
}

async function showNearest() {
near = await coarseLocation();
if (near === null) return;
const answer = await get(path(["airports", "nearest"], { lat: near.latitude, lon: near.longitude, limit: 8 }));
fill(nearest, answer.results.length > 0 ? rows(texts.airports.nearest, answer.results)
: [element("h2", {}, texts.airports.nearest), element("p", {}, texts.airports.nothingNear)]);
map.mark(answer.results.map((result) => result.airport));
announce(texts.search.count(answer.results.length, true));
firstRow(nearest)?.focus();
}

async function show([code], isNew) {
const before = open;
open = code ?? null;
if (isNew) {
if (nearest.childElementCount === 0) offerNearest();
await Promise.all([loadRecent().catch(fail), loadPopular()]);
}
if (open === null) {
both.empty();
if (before !== null) map.mark([]);
if (before !== null) both.restore(offers.hidden ? null : offers.querySelector(`a.row[href$="/${CSS.escape(before)}"]`), search.input);
else if (isNew) both.restore(null, search.input);
return;
}
const answer = await get(path(["airports", code]));
if (open !== code) return;
const airports = answer.airports ?? answer.results?.[0]?.airports ?? [];
const airport = answer.airport ?? answer.results?.[0]?.airport ?? answer;
both.show(airportDetail({ ...airport, name: answer.title ?? airport.name }, airports));
map.mark(airports.length > 0 ? airports : [airport]);
}

return {
element: both.element,
show,
async refresh(changed) {
if (changed.has("airports")) await loadRecent();
},
};
}
return { airportsView };
})();
const m37 = (() => {
const { draftOf, dropDraft, keepDraft } = m11;
const { element, freshId } = m0;
const { fail, note } = m5;
const { texts } = m2;
function field(label, properties = {}) {
const id = freshId("field");
const { value = "", rows, ...rest } = properties;
const input = element(rows ? "textarea" : "input", { id, class: "field-input", dir: "auto", rows, type: rows ? null : "text", ...rest });
input.value = value ?? "";
const error = element("p", { class: "field-error", id: `${id}-error`, role: "alert", hidden: true });
input.addEventListener("input", () => complain(""));
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

function form(content, { send, cancel, fieldOf = () => null, draft = null, button = texts.save }) {
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

function fileButton(label, content, { accept, capture, multiple, chosen }) {
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
return { field, form, fileButton };
})();
const m38 = (() => {
const { element, freshId } = m0;
const { icon } = m1;
const { texts } = m2;
const keys = [
["1", ""], ["2", "abc"], ["3", "def"], ["4", "ghi"], ["5", "jkl"], ["6", "mno"], ["7", "pqrs"], ["8", "tuv"], ["9", "wxyz"],
["+", ""], ["0", "␣"],
];

function keypad({ press, erase, clear }) {
let timer = null;
let isLong = false;
const back = element("button", {
type: "button", class: "key", "aria-label": texts.contacts.erase,
onclick: () => { if (!isLong) erase(); isLong = false; },
onpointerdown: () => { isLong = false; timer = setTimeout(() => { isLong = true; clear(); }, 600); },
onpointerup: () => clearTimeout(timer), onpointerleave: () => clearTimeout(timer), onpointercancel: () => clearTimeout(timer),
}, icon("erase"));
return element("div", { class: "keypad", role: "group", "aria-label": texts.contacts.keypadLabel, id: freshId("keypad"), hidden: true },
keys.map(([digit, letters]) => element("button", {
type: "button", class: "key", "aria-label": letters === "" || digit === "0" ? digit : `${digit} ${letters}`, onclick: () => press(digit),
}, element("b", {}, digit), element("small", {}, letters))), back);
}
return { keypad };
})();
const m39 = (() => {
const { element, fill } = m0;
const maximumLetters = 30;

function letterIndex({ label, go }) {
let letters = [];
let shown = [];
let current = 0;
let followed = 0;
const strip = element("div", { class: "letters", role: "slider", tabindex: "0", "aria-label": label, "aria-orientation": "vertical", hidden: true });

function mark(index) {
current = index;
strip.setAttribute("aria-valuenow", String(index));
strip.setAttribute("aria-valuetext", letters[index]?.letter ?? "");
const marked = shown.findLast((one) => one <= index) ?? shown[0];
[...strip.children].forEach((child, place) => child.classList.toggle("current", shown[place] === marked));
}

function choose(index) {
const wanted = Math.min(letters.length - 1, Math.max(0, index));
go(letters[wanted].first);
mark(wanted);
}

const chooseAt = (event) => {
const box = strip.getBoundingClientRect();
const place = Math.floor((event.clientY - box.top) / box.height * shown.length);
choose(shown[Math.min(shown.length - 1, Math.max(0, place))]);
};
strip.addEventListener("pointerdown", (event) => {
strip.setPointerCapture(event.pointerId);
chooseAt(event);
});
strip.addEventListener("pointermove", (event) => { if (strip.hasPointerCapture(event.pointerId)) chooseAt(event); });
strip.addEventListener("keydown", (event) => {
const target = { ArrowDown: current + 1, ArrowUp: current - 1, ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: letters.length - 1 }[event.key];
if (target === undefined) return;
event.preventDefault();
choose(target);
});

return {
element: strip,
show(counts) {
let first = 0;
letters = counts.map(({ letter, count }) => {
const entry = { letter, first };
first += count;
return entry;
});
strip.hidden = first < 60 || letters.length < 2;
strip.setAttribute("aria-valuemin", "0");
strip.setAttribute("aria-valuemax", String(Math.max(0, letters.length - 1)));
shown = counts.map((_, index) => index).sort((one, other) => counts[other].count - counts[one].count)
.slice(0, maximumLetters).sort((one, other) => one - other);
fill(strip, shown.map((index) => element("span", { "aria-hidden": "true" }, letters[index].letter)));
mark(Math.min(current, Math.max(0, letters.length - 1)));
},
follow(number) {
if (number === followed) return;
followed = number;
const index = letters.findLastIndex(({ first }) => first <= number);
if (index >= 0 && index !== current) mark(index);
},
};
}
return { letterIndex };
})();
const m40 = (() => {
const { element } = m0;
const { icon } = m1;
const { link, mailbox, telephone } = m18;
const { fail, note } = m5;
const { patch, path, post, remove } = m9;
const { address } = m12;
const { initials } = m20;
const { texts } = m2;
function contactDetail({ changed, leave, stayed, gone }) {
return (contact) => {
const name = contact.name || texts.unnamed;
const favourite = element("button", {
type: "button", class: "button favourite", "aria-keyshortcuts": "F", "aria-pressed": String(contact.favourite === true),
onclick: async () => {
const wanted = favourite.getAttribute("aria-pressed") !== "true";
try {
await patch(path(["contacts", contact.id]), { json: { favourite: wanted }, queued: texts.queue.contact(name) });
favourite.setAttribute("aria-pressed", String(wanted));
await changed();
} catch (error) {
fail(error);
}
},
}, icon("star"), texts.contacts.favourite);
const edit = element("a", { class: "button", href: address("contacts", contact.id, "edit"), "aria-keyshortcuts": "E" }, icon("edit"), texts.contacts.edit);
const erase = element("button", {
type: "button", class: "button danger", "aria-keyshortcuts": "Delete", onclick: () => {
leave(contact);
note(texts.contacts.deleted(name), [{ label: texts.undo, act: () => stayed(contact) }], () =>
remove(path(["contacts", contact.id]), { keepalive: true, queued: texts.queue.removedContact(name) }).catch((error) => {
if (error.status !== 404) fail(error);
}).finally(() => gone(contact).catch(fail)));
},
}, icon("remove"), texts.contacts.delete);

const chosen = () => {
post(path(["contacts", contact.id, "call"]), { keepalive: true }).catch(() => {
});
};
return element("article", { class: "person" },
element("header", { class: "person-head" },
portrait(contact, name),
element("div", {},
element("h2", { dir: "auto" }, name),
element("p", { class: "muted", dir: "auto" },
[contact.nickname && `“${contact.nickname}”`, contact.title, contact.organization !== name && contact.organization]
.filter(Boolean).join(" · ")))),
quickActions(contact, chosen),
contact.phones?.length > 0 && element("ul", { class: "ways", "aria-label": texts.contacts.fields.phones },
contact.phones.map((phone) => way("phone", telephone(phone), phone.number, phone.label, chosen))),
contact.emails?.length > 0 && element("ul", { class: "ways", "aria-label": texts.contacts.fields.emails },
contact.emails.map((email) => way("mail", mailbox(email.address), email.address, email.label, chosen))),
facts(contact),
element("div", { class: "actions" }, favourite, edit, erase));
};
}

function quickActions(contact, chosen) {
const phone = contact.phones?.[0] && telephone(contact.phones[0]);
const email = contact.emails?.[0];
const action = (picture, label, href, onclick) => href && element("a", { class: "button quick", href, onclick }, icon(picture), label);
const links = [
action("phone", texts.contacts.call, phone, chosen),
action("message", texts.contacts.message, phone?.replace(/^tel:/, "sms:"), chosen),
action("mail", texts.contacts.mail, email && mailbox(email.address), chosen),
].filter(Boolean);
return links.length > 0 && element("div", { class: "actions quick-actions" }, links);
}

function portrait(contact, name) {
const letters = element("span", { class: "portrait", "aria-hidden": "true" }, initials(name) || icon("contacts"));
if (!contact.photo) return letters;
const picture = element("img", {
class: "portrait", alt: texts.contacts.photoOf(name), width: 64, height: 64, src: path(["contacts", contact.id, "photo"]),
onerror: () => picture.replaceWith(letters),
});
return picture;
}

function way(picture, href, text, label, chosen) {
const content = [icon(picture), element("span", { dir: "auto" }, text), label && element("small", {}, label)];
return element("li", {}, href ? element("a", { class: "way", href, onclick: chosen }, content) : element("span", { class: "way" }, content));
}

function facts(contact) {
const names = texts.contacts.fields;
const rows = [
[names.phoneticName, contact.phoneticName], [names.department, contact.department], [names.birthday, contact.birthday],
[names.groups, (contact.groups ?? []).join(", ")],
...(contact.addresses ?? []).map((place) => [names.addresses, addressText(place)]),
...(contact.urls ?? []).map((url) => [names.urls, link(typeof url === "string" ? url : url.url ?? url.address ?? "")]),
[names.note, contact.note],
].filter(([, value]) => value);
return rows.length > 0 && element("dl", { class: "facts" },
rows.map(([name, value]) => [element("dt", {}, name), element("dd", { dir: "auto" }, value)]));
}

function addressText(place) {
if (typeof place === "string") return place;
return [place.street, place.locality ?? place.city, place.region, place.postalCode, place.country].filter(Boolean).join(", ");
}
return { contactDetail, way };
})();
const m41 = (() => {
const { openDialog } = m3;
const { element } = m0;
const { patch } = m9;
const { texts } = m2;
const same = (one, other) => JSON.stringify(one ?? "") === JSON.stringify(other ?? "");

function changesOf(base, values) {
return Object.fromEntries(Object.entries(values).filter(([key, value]) => !same(value, base[key])));
}

async function saveChanges({ address, tag, base, values, fieldsOf, names, queued }) {
let changes = changesOf(base, values);
let version = tag;
for (;;) {
try {
return await patch(address, { json: changes, headers: version ? { "If-Match": version } : {}, queued });
} catch (error) {
if (error.status !== 412 || !error.problem.current) throw error;
const current = fieldsOf(error.problem.current);
const conflicts = Object.keys(changes).filter((key) => !same(current[key], base[key]) && !same(current[key], changes[key]));
if (conflicts.length > 0) {
const choice = await ask(conflicts, changes, current, names);
if (choice === undefined) return null;
if (choice === "theirs") changes = Object.fromEntries(Object.entries(changes).filter(([key]) => !conflicts.includes(key)));
}
version = error.problem.tag;
}
}
}

function ask(conflicts, mine, theirs, names) {
return openDialog(texts.conflict.title, (close) => [
element("p", { class: "lead" }, texts.conflict.lead),
element("dl", { class: "facts" }, conflicts.map((key) => [
element("dt", {}, names[key] ?? key),
element("dd", { dir: "auto" }, texts.conflict.mine(shown(mine[key]))),
element("dd", { dir: "auto" }, texts.conflict.theirs(shown(theirs[key]))),
])),
element("div", { class: "actions" },
element("button", { type: "button", class: "primary", autofocus: true, onclick: () => close("mine") }, texts.conflict.keepMine),
element("button", { type: "button", onclick: () => close("theirs") }, texts.conflict.keepTheirs)),
]);
}

function shown(value) {
if (Array.isArray(value)) return value.map((entry) => entry.number ?? entry.address ?? "").join(", ") || texts.conflict.nothing;
return value || texts.conflict.nothing;
}
return { changesOf, saveChanges };
})();
const m42 = (() => {
const { draftOf, dropDraft, keepDraft } = m11;
const { saveChanges } = m41;
const { element } = m0;
const { field, form } = m37;
const { icon } = m1;
const { clearError, note } = m5;
const { path, post } = m9;
const { texts } = m2;
const simpleKeys = ["givenName", "familyName", "nickname", "organization"];

function fieldsOf(contact) {
return {
...Object.fromEntries([...simpleKeys, "note"].map((key) => [key, contact?.[key] ?? ""])),
phones: (contact?.phones ?? []).map(({ label, number }) => (label ? { label, number } : { number })),
emails: (contact?.emails ?? []).map(({ label, address }) => (label ? { label, address } : { address })),
};
}

function contactForm(contact, tag, { done, cancel, again }) {
const names = texts.contacts.fields;
const key = contact ? `contacts/${contact.id}` : "contacts/new";
const draft = draftOf(key);
const base = draft?.base ?? fieldsOf(contact);
const version = draft?.version ?? tag;
const shown = draft?.values ?? base;
const simple = simpleKeys.map((name) => [name, field(names[name], { value: shown[name], autocomplete: "off" })]);
const note_ = field(names.note, { value: shown.note, rows: 3 });
const changed = () => keepDraft(key, { base, version, values: values() });
const phones = repeated(names.phone, texts.contacts.addPhone, { type: "tel", autocomplete: "off" }, shown.phones, "number", changed);
const emails = repeated(names.email, texts.contacts.addEmail, { type: "email", autocomplete: "off" }, shown.emails, "address", changed);
const values = () => ({
...Object.fromEntries([...simple, ["note", note_]].map(([name, { input }]) => [name, input.value.trim()])),
phones: phones.values(), emails: emails.values(),
});

return element("div", { class: "card" },
element("h2", {}, contact ? texts.contacts.editTitle : texts.contacts.newTitle),
form([simple.map(([, made]) => made.element), phones.element, emails.element, note_.element], {
cancel,
draft: {
key, read: () => ({ base, version, values: values() }), restored: draft !== null,
discard: () => { dropDraft(key); again(); },
},
fieldOf: (error) => {
const name = error.code === "tooLong" ? error.problem.detail?.split(":")[0] : error.code === "nameless" ? "name" : null;
return { name: simple[0][1], nickname: simple[2][1], organization: simple[3][1], note: note_,
phone: phones.first(), email: emails.first() }[name] ?? null;
},
async send() {
const now = values();
const answer = contact
? await saveChanges({
address: path(["contacts", contact.id]), tag: version, base, values: now, names, queued: texts.queue.contact(contact.name || texts.unnamed),
fieldsOf: (current) => fieldsOf(current.contact),
})
: await post(path(["contacts"]), { json: Object.fromEntries(Object.entries(now).filter(([, value]) => value.length > 0)), queued: texts.queue.newContact(now.givenName || texts.unnamed) });
if (answer === null) return false;
clearError();
dropDraft(key);
if (answer.isQueued) {
cancel();
return true;
}
note(texts.contacts.saved(answer.contact?.name ?? ""));
await done({ ...answer.contact, id: answer.id });
return true;
},
}));
}

function repeated(name, addName, properties, values, key, changed) {
const rows = element("div", { class: "repeated" });
function add(value = {}) {
const made = field(name, { ...properties, value: value[key] });
const row = element("div", { class: "repeated-row" }, made.element,
element("button", {
type: "button", class: "plain round", "aria-label": texts.contacts.removeField(name),
onclick: () => { row.remove(); if (rows.children.length === 0) add(); rows.querySelector("input").focus(); changed(); },
}, icon("close")));
row.label = value.label;
row.made = made;
rows.append(row);
return made.input;
}
(values.length > 0 ? values : [{}]).forEach((value) => add(value));
return {
first: () => rows.firstElementChild.made,
element: element("div", { class: "repeated-group" }, rows,
element("button", { type: "button", class: "plain", onclick: () => add().focus() }, icon("add"), addName)),
values: () => [...rows.children].map((row) => ({ label: row.label, [key]: row.querySelector("input").value.trim() }))
.filter((value) => value[key] !== "").map(({ label, ...rest }) => (label ? { label, ...rest } : rest)),
};
}
return { contactForm };
})();
const m43 = (() => {
const { element } = m0;
const { recordChoice } = m21;
const { fileButton } = m37;
const { icon } = m1;
const { keypad } = m38;
const { letterIndex } = m39;
const { firstRow, enableRowKeys } = m22;
const { announce, note } = m5;
const { openDialog } = m3;
const { panes } = m23;
const { get, path, post, tagOf } = m9;
const { address, go } = m12;
const { rowContent, rowLink } = m20;
const { searchField } = m25;
const { texts } = m2;
const { windowedList } = m27;
const { contactDetail } = m40;
const { contactForm } = m42;
function contactsView() {
let open = null;
let successor = "";
const leaving = new Set();

const letters = letterIndex({ label: texts.contacts.letters, go: (number) => list.scrollToRow(number) });
const list = windowedList({
label: texts.views.contacts,
load: (cursor, limit, signal, stored = false) => get(path(["contacts"], { cursor, limit }), { signal, stored }),
row: (result) => rowLink(result, {
trailing: result.contact?.favourite ? icon("star") : null,
}),
isHidden: (result) => leaving.has(result.id),
empty: () => [
element("h2", {}, texts.contacts.emptyTitle), element("p", {}, texts.contacts.empty),
],
loaded: (count) => {
if (!search.isOpen) announce(count === 0 ? "" : texts.contacts.count(count));
},
scrolled: (number) => letters.follow(number),
});
const rows = element("div", { class: "with-letters" }, list.element, letters.element);

async function reload() {
const [answer] = await Promise.all([get(path(["contacts", "letters"])), list.reload()]);
letters.show(answer.results);
}

const pad = keypad({
press: (key) => search.set(search.input.value + key),
erase: () => search.set(Array.from(search.input.value).slice(0, -1).join("")),
clear: () => search.set(""),
});
const padButton = element("button", {
type: "button", class: "button", "aria-expanded": "false", "aria-controls": pad.id, onclick: () => togglePad(),
}, icon("keypad"), texts.contacts.keypad);

function togglePad() {
const opens = pad.hidden;
pad.hidden = !opens;
padButton.setAttribute("aria-expanded", String(opens));
search.input.setAttribute("inputmode", opens ? "none" : "text");
search.input.setAttribute("placeholder", opens ? texts.contacts.padPlaceholder : texts.contacts.placeholder);
search.set("");
search.input.focus();
}

async function importFile([file]) {
announce(texts.contacts.importing(file.name));
const isTable = /\.csv$/i.test(file.name) || file.type === "text/csv";
const send = (keepGood) => post(path(["contacts", "import"], { keepGood }), { body: file, type: isTable ? "text/csv" : "text/vcard" });
let report;
try {
report = await send();
} catch (error) {
if (error.status !== 422) throw error;
announce("");
if (!(await showSkipped(error.problem.skipped ?? [{ line: error.problem.line, reason: error.message }], texts.contacts.keepGood))) return;
report = await send(true);
}
await reload();
note(texts.contacts.imported(report));
if (report.skipped?.length > 0) await showSkipped(report.skipped);
}

function showSkipped(skipped, keep) {
return openDialog(texts.contacts.leftOutTitle, (close) => [
element("ul", { class: "plain-list" }, skipped.slice(0, 50).map((skip) => element("li", {}, texts.contacts.leftOut(skip)))),
keep && element("div", { class: "actions" },
element("button", { type: "button", class: "primary", onclick: () => close(true) }, keep)),
]);
}

const tools = element("div", { class: "tools" }, padButton,
element("a", { class: "button", href: address("contacts", "new") }, icon("add"), texts.contacts.add),
fileButton(texts.contacts.importLabel, [icon("import"), texts.contacts.import],
{ accept: ".vcf,.vcard,.csv,text/vcard,text/csv", chosen: importFile }));
const search = searchField({
label: texts.contacts.label, placeholder: texts.contacts.placeholder,
async search(query, signal) {
const parameters = pad.hidden ? { q: query, limit: 30 } : { keypad: query, limit: 30 };
const answer = await get(path(["contacts"], parameters), { signal });
return { ...answer, results: answer.results.filter((result) => !leaving.has(result.id)) };
},
option: (result) => rowContent(result),
choose: (result, query) => {
recordChoice(result, query, { isKeypad: !pad.hidden });
go("contacts", result.id);
},
changed: (query, isOpen) => {
rows.hidden = isOpen;
if (!isOpen && list.results.length > 0) list.draw();
},
below: () => firstRow(list.list),
tools: [tools, pad],
});
enableRowKeys(list.list, () => search.input);

const both = panes([search.element, rows], texts.contacts.pick, "contacts");

const detail = contactDetail({
changed: () => Promise.all([reload(), search.refresh()]),
leave(contact) {
const rows = list.results.filter((result) => !leaving.has(result.id));
successor = rows[rows.findIndex((result) => result.id === contact.id) + 1]?.id ?? "";
leaving.add(contact.id);
go("contacts");
list.draw();
search.refresh();
},
async stayed(contact) {
leaving.delete(contact.id);
list.draw();
await search.refresh();
},
gone(contact) {
leaving.delete(contact.id);
return reload();
},
});

async function show([id, action], isNew, focuses = true) {
const before = open;
open = id ?? null;
if (isNew) await reload();
if (id === undefined) {
both.empty();
both.restore(before ? list.rowOf(before) ?? list.rowOf(successor) ?? firstRow(list.list) : null, search.input);
} else if (id === "new") {
both.show(contactForm(null, null, {
done: (contact) => go("contacts", contact.id), cancel: () => go("contacts"), again: () => show(["new"]),
}), { focuses });
both.element.querySelector(".detail input")?.focus();
} else {
const isForm = action === "edit";
const known = list.results.find((result) => result.id === id)?.contact;
if (known && !isForm) both.show(detail(known), { focuses });
const answer = await get(path(["contacts", id]));
if (open !== id) return;
const contact = answer.contact;
if (known && !isForm && JSON.stringify(known) === JSON.stringify(contact)) return;
const leaveForm = () => go("contacts", id);
const content = isForm ? contactForm(contact, tagOf(answer), {
done: async () => {
leaveForm();
await Promise.all([reload(), search.refresh()]);
},
cancel: leaveForm,
again: () => show([id, action]),
}) : detail(contact);
both.show(content, { focuses });
if (isForm && focuses) both.element.querySelector(".detail input")?.focus();
}
}

return {
element: both.element,
show,
async refresh(changed) {
if (!changed.has("contacts")) return;
await reload();
await search.refresh();
const isForm = both.element.querySelector(".detail form") !== null;
if (open !== null && open !== "new" && !isForm && !both.hasFocus) await show([open], false, false);
},
};
}
return { contactsView };
})();
const m44 = (() => {
const { element, fill } = m0;
const { hasKeyboard } = m17;
const { firstRow, enableRowKeys } = m22;
const { fail } = m5;
const { get, path } = m9;
const { address, go } = m12;
const { rowContent, rowLink } = m20;
const { searchField } = m25;
const { may } = m10;
const { texts } = m2;
const { moment } = m8;
const { activityRow, openItem, recordChoice } = m21;
function findView() {
const home = element("div", { class: "home" });
const search = searchField({
label: texts.find.label, placeholder: texts.find.placeholder,
search: (query, signal) => get(path(["find"], { q: query, limit: 20 }), { signal }),
option: (result) => rowContent(result, { showsKind: true }),
choose: (result, query) => {
if (result.kind === "item") openItem(result, query).catch(fail);
else if (views[result.kind]) {
recordChoice(result, query);
go(views[result.kind], result.id);
}
},
changed: (query, isOpen) => { home.hidden = isOpen; },
below: () => firstRow(home),
});
enableRowKeys(home, () => search.input);

async function loadHome() {
const part = async (domain, ...address) => {
try {
return may("read", domain) ? (await get(path(...address))).results : [];
} catch (error) {
fail(error);
return [];
}
};
const [activities, prospects, reminders, favourites, contacts] = await Promise.all([
part("activities", ["activities"], { limit: 3 }),
part("prospects", ["prospects"], { filter: "uncontacted", sort: "recent", limit: 5 }),
part("reminders", ["reminders"], { state: "pending", limit: 3 }),
part("contacts", ["contacts"], { favourite: true, limit: 6 }),
part("contacts", ["contacts"], { limit: 1 }),
]);
const parts = [
section(texts.find.activities, activities.map((result) => activityRow(result))),
section(texts.find.reminders, reminders.map((reminder) => rowLink(
{ kind: "prospect", id: reminder.prospect, title: reminder.name, subtitle: moment(reminder.dueAt) }))),
section(texts.find.toContact, prospects.map((result) => rowLink(result))),
section(texts.find.favourites, favourites.map((result) => rowLink(result))),
].filter(Boolean);
const focused = home.contains(document.activeElement);
fill(home, parts.length > 0 ? parts : contacts.length > 0 ? hints() : welcome());
if (focused) firstRow(home)?.focus();
}

return {
element: element("div", { class: "column" }, search.element, home),
async show([query], isNew) {
if (query !== undefined && query !== search.query) await search.set(query);
if (isNew && hasKeyboard()) search.input.focus();
await loadHome();
},
async refresh() {
await loadHome();
await search.refresh();
},
};
}

const views = { contact: "contacts", prospect: "prospects", airport: "airports" };

function section(title, rows) {
return rows.length > 0 && element("section", { class: "block" }, element("h2", {}, title),
element("ul", { class: "rows" }, rows.map((row) => element("li", { class: "item" }, row))));
}

function welcome() {
return element("div", { class: "empty" }, element("h2", {}, texts.find.emptyTitle), element("p", {}, texts.find.empty),
element("div", { class: "actions" },
element("a", { class: "button primary", href: address("prospects", "camera") }, texts.find.scan),
element("a", { class: "button", href: address("contacts") }, texts.find.importContacts)));
}

function hints() {
return element("div", { class: "hints" }, element("h2", {}, texts.find.hintsTitle),
element("ul", {}, texts.find.hints.map(([sample, meaning]) => element("li", {}, element("kbd", {}, sample), " ", meaning))));
}
return { findView };
})();
const m45 = (() => {
const { openDialog } = m3;
const { draftOf, dropDraft } = m11;
const { element, fill } = m0;
const { UserError } = m4;
const { field, form } = m37;
const { icon } = m1;
const { fail } = m5;
const { get, path, put } = m9;
const { texts } = m2;
const kinds = { email: "email", phone: "tel", url: "url" };
const known = { name: "name", email: "email", phone: "tel", organization: "organization", title: "organization-title", url: "url" };

async function openBadge() {
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

async function keepAwake() {
try {
return await navigator.wakeLock?.request("screen");
} catch {
return null;
}
}
return { openBadge };
})();
const m46 = (() => {
const { openDialog } = m3;
const { element } = m0;
const { announce, note } = m5;
const { path, post } = m9;
const { texts } = m2;
async function readPicture(picture, signal) {
try {
return await post(path(["prospects", "scan"]), { body: picture, type: picture.type, signal });
} catch (error) {
if (error.status === 422 || (error.status === 404 && error.code !== "")) {
const { added = 0, merged = 0, results = [], skipped = [{ reason: error.message }] } = error.problem;
return { added, merged, results, skipped };
}
throw error;
}
}

async function scanPictures(files) {
const total = { added: 0, merged: 0, results: [], skipped: [] };
announce(texts.scan.reading);
for (const file of files) {
const report = await readPicture(file);
total.added += report.added;
total.merged += report.merged;
total.results.push(...report.results);
total.skipped.push(...(report.skipped ?? []).map((skip) => ({ file: file.name, ...skip, name: file.name })));
}
announce("");
if (total.results.length > 0) note(texts.scan.pictures(total));
if (total.skipped.length > 0) {
await openDialog(texts.contacts.leftOutTitle, () => element("ul", { class: "plain-list" },
total.skipped.map((skip) => element("li", {}, element("b", {}, skip.name), " – ", skip.reason))));
}
return total;
}
return { readPicture, scanPictures };
})();
const m47 = (() => {
const { openDialog } = m3;
const { element, fill } = m0;
const { fileButton } = m37;
const { icon } = m1;
const { fail } = m5;
const { texts } = m2;
const { readPicture, scanPictures } = m46;
const serverPace = 700;
const browserPace = 150;
const longestSide = 1280;

function openCamera(added) {
const stopping = new AbortController();
let stream = null;
const video = element("video", { playsinline: true, muted: true, "aria-label": texts.scan.videoLabel });
video.muted = true;
const line = element("p", { class: "scan-line", "aria-live": "polite" }, texts.scan.starting);
const result = element("div", { class: "scan-result", hidden: true });
const stage = element("div", { class: "stage" }, video, element("span", { class: "viewfinder", "aria-hidden": "true" }));

async function run(close) {
try {
stream = await cameraStream();
} catch (error) {
line.textContent = reason(error);
stage.hidden = true;
fill(result, pictureButton(close));
result.hidden = false;
return;
}
if (stopping.signal.aborted) {
end();
return;
}
video.srcObject = stream;
await video.play();
look(close);
}

function pictureButton(close) {
return fileButton(texts.prospects.picture, [icon("picture"), texts.prospects.picture], {
accept: "image/png,image/jpeg", capture: "environment", chosen: async (files) => {
const report = await scanPictures(files);
added();
if (report.results.length > 0) close();
},
});
}

async function look(close) {
result.hidden = true;
line.textContent = texts.scan.looking;
const sees = await codeDetector();
while (!stopping.signal.aborted) {
const began = performance.now();
try {
const report = await readFrame(sees);
if (report !== null && show(report, close)) return;
} catch (error) {
if (error.name === "AbortError") return;
line.textContent = error.message;
}
await pause((sees ? browserPace : serverPace) - (performance.now() - began));
}
}

async function readFrame(sees) {
if (video.videoWidth === 0) return null;
if (sees && !(await sees(video))) return null;
const picture = await frameOf(video);
return picture === null ? null : readPicture(picture, stopping.signal);
}

function show(report, close) {
if (report.results.length === 0) {
const other = report.skipped?.find((skip) => skip.text);
line.textContent = other ? texts.scan.noBadge(other.reason) : texts.scan.looking;
return false;
}
const names = report.results.map((row) => row.title).join(", ");
line.textContent = report.added > 0 ? texts.scan.added(names) : texts.scan.known(names);
navigator.vibrate?.(60);
const again = element("button", { type: "button", class: "primary", onclick: () => look(close).catch(fail) }, texts.scan.another);
fill(result, icon("tick"),
report.results.map((row) => element("p", {}, element("b", { dir: "auto" }, row.title), " ", element("span", { class: "muted", dir: "auto" }, row.subtitle))),
element("div", { class: "actions" }, again, element("button", { type: "button", onclick: () => close(true) }, texts.scan.done)));
result.hidden = false;
again.focus();
added();
return true;
}

function end() {
stopping.abort();
for (const track of stream?.getTracks() ?? []) track.stop();
video.srcObject = null;
}

return openDialog(texts.scan.title, (close) => {
run(close).catch(fail);
return [stage, line, result];
}, { class: "camera", closed: end });
}

function cameraStream() {
if (!navigator.mediaDevices?.getUserMedia) return Promise.reject(new DOMException("", "NotSupportedError"));
return navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } } });
}

function reason(error) {
if (error.name === "NotAllowedError") return texts.scan.refused;
if (error.name === "NotFoundError" || error.name === "NotReadableError") return texts.scan.missing;
return texts.scan.noCamera;
}

async function codeDetector() {
if (!("BarcodeDetector" in globalThis)) return null;
try {
const formats = await BarcodeDetector.getSupportedFormats();
if (!formats.includes("qr_code")) return null;
const detector = new BarcodeDetector({ formats: ["qr_code"] });
return async (video) => (await detector.detect(video)).length > 0;
} catch {
return null;
}
}

function frameOf(video) {
const scale = Math.min(1, longestSide / Math.max(video.videoWidth, video.videoHeight));
const canvas = element("canvas");
canvas.width = Math.round(video.videoWidth * scale);
canvas.height = Math.round(video.videoHeight * scale);
canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
}

function pause(milliseconds) {
return new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)));
}
return { openCamera };
})();
const m48 = (() => {
const { accessStatus, withAccess } = m33;
const { openDialog } = m3;
const { element } = m0;
const { UserError } = m4;
const { field, form } = m37;
const { announce, note } = m5;
const { patch, path, post, put, remove } = m9;
const { texts } = m2;
const { fieldValue, inHours, moment, nextNine, stamp, timeZone } = m8;
function prospectChanges({ changed, left, reminderOf }) {
const name = (prospect) => prospect.name || texts.unnamed;

const remindAt = (prospect, time) => {
const due = time.at ? new Date(time.at) : time.in ? inHours(time.in / 3600) : nextNine();
return put(path(["prospects", prospect.id, "reminder"]), {
json: { ...time, timeZone: timeZone() }, later: { at: stamp(due), timeZone: timeZone() }, queued: texts.queue.reminder(name(prospect), moment(due)),
});
};

async function bringBack(prospect, reminder) {
if (reminder && new Date(reminder.dueAt) > new Date()) await remindAt(prospect, { at: reminder.dueAt });
await changed();
}

async function setContacted(prospect, contacted) {
const reminder = reminderOf(prospect.id);
const set = (value) => patch(path(["prospects", prospect.id]),
{ json: { contacted: value }, queued: (value ? texts.queue.contacted : texts.queue.uncontacted)(name(prospect)) });
await set(contacted);
await changed();
note(contacted ? texts.prospects.isContacted(name(prospect)) : texts.prospects.isUncontacted(name(prospect)), [{
label: texts.undo, act: async () => {
await set(!contacted);
await bringBack(prospect, contacted ? reminder : null);
},
}], undefined, "contacted");
}

async function erase(prospect) {
const reminder = reminderOf(prospect.id);
await remove(path(["prospects", prospect.id]), { queued: texts.queue.removedProspect(name(prospect)) });
left(prospect);
await changed();
note(texts.prospects.deleted(name(prospect)), [{
label: texts.undo, act: async () => {
await post(path(["prospects", prospect.id, "restore"]), { queued: texts.queue.prospect(name(prospect)) });
await bringBack(prospect, reminder);
},
}]);
}

async function remind(prospect) {
const grant = await accessStatus("notifications").catch(() => null);
const time = await openDialog(texts.prospects.remindOf(name(prospect)), (close) => [
grant?.status === "notDetermined" && element("p", { class: "muted lead" }, texts.purposes.notifications),
reminderChoices(close),
]);
if (!time) return;
const reminder = await withAccess("notifications", () => remindAt(prospect, time));
if (reminder === null) return;
await changed();
if (reminder.isQueued) return;
note(texts.prospects.reminded(name(prospect), moment(reminder.dueAt)), [{
label: texts.undo, act: () => cancelReminder(reminder),
}]);
}

async function cancelReminder(reminder) {
await remove(path(["reminders", reminder.id]), { queued: texts.queue.dismissed(reminder.name) });
await changed();
announce(texts.prospects.reminderCancelled);
}

return { setContacted, erase, remind, cancelReminder };
}

function reminderChoices(close) {
const nine = nextNine();
const at = field(texts.prospects.atLabel, {
type: "datetime-local", value: fieldValue(new Date(nine.getTime() + 5.5 * 3_600_000)), min: fieldValue(new Date()), required: true,
});
const choice = (label, detail, value) => element("button", { type: "button", class: "choice", onclick: () => close(value) },
element("span", {}, label), element("span", { class: "muted" }, detail));
return [
element("div", { class: "choices" },
choice(texts.prospects.nextNine, moment(nine), {}),
choice(texts.prospects.inHour, moment(inHours(1)), { in: 3600 }),
choice(texts.prospects.inDays, moment(inHours(72)), { in: 72 * 3600 })),
element("h3", {}, texts.prospects.at),
form([at.element], {
button: texts.prospects.remind,
send() {
const time = new Date(at.input.value);
if (!(time > new Date())) throw new UserError(texts.prospects.past);
close({ at: stamp(time) });
},
}),
];
}
return { prospectChanges };
})();
const m49 = (() => {
const { element } = m0;
const { icon } = m1;
const { mailbox, telephone } = m18;
const { fail } = m5;
const { address } = m12;
const { initials } = m20;
const { texts } = m2;
const { moment } = m8;
const { way } = m40;
function prospectDetail(changes, reminderOf) {
return (prospect) => {
const name = prospect.name || texts.unnamed;
const reminder = reminderOf(prospect.id);
const box = element("input", {
type: "checkbox", class: "switch", checked: prospect.contacted,
onchange: () => changes.setContacted(prospect, box.checked).catch((error) => {
box.checked = !box.checked;
fail(error);
}),
});
const remind = element("button", { type: "button", class: "button", onclick: () => changes.remind(prospect).catch(fail), "aria-keyshortcuts": "R", hidden: prospect.contacted },
icon("bell"), texts.prospects.remind);
const edit = element("a", { class: "button", href: address("prospects", prospect.id, "edit"), "aria-keyshortcuts": "E" }, icon("edit"), texts.prospects.edit);
const erase = element("button", { type: "button", class: "button danger", "aria-keyshortcuts": "Delete", onclick: () => changes.erase(prospect).catch(fail) },
icon("remove"), texts.prospects.delete);
const meetings = prospect.meetings ?? [];
return element("article", { class: "person" },
element("header", { class: "person-head" },
element("span", { class: "portrait", "aria-hidden": "true" }, initials(name) || icon("prospects")),
element("div", {}, element("h2", { dir: "auto" }, name), element("p", { class: "muted", dir: "auto" }, prospect.organization ?? ""))),
element("label", { class: "switch-line" }, box, texts.prospects.contacted),
reminder && element("p", { class: "reminder-line" }, icon("bell"), texts.prospects.reminder(moment(reminder.dueAt)),
element("button", { type: "button", class: "plain", onclick: () => changes.cancelReminder(reminder).catch(fail) }, texts.prospects.cancelReminder)),
element("ul", { class: "ways" },
prospect.email && way("mail", mailbox(prospect.email), prospect.email),
prospect.phone && way("phone", telephone({ number: prospect.phone }), prospect.phone)),
element("div", { class: "actions" }, remind, edit, erase),
meetings.length > 0 && element("ul", { class: "plain-list muted" }, meetings.map((meeting) => element("li", { dir: "auto" },
meeting.place ? texts.prospects.metAt(moment(meeting.at), meeting.place) : texts.prospects.met(moment(meeting.at))))),
prospect.note && element("p", { class: "long", dir: "auto" }, prospect.note));
};
}
return { prospectDetail };
})();
const m50 = (() => {
const { draftOf, dropDraft } = m11;
const { saveChanges } = m41;
const { element } = m0;
const { field, form } = m37;
const { clearError, note } = m5;
const { path, post } = m9;
const { texts } = m2;
const kinds = { email: "email", phone: "tel" };
const wrongFields = { notAnAddress: "email", notANumber: "phone", nameless: "name" };

function fieldsOf(prospect) {
return Object.fromEntries(Object.keys(texts.prospects.fields).map((key) => [key, prospect?.[key] ?? ""]));
}

function prospectForm(prospect, tag, { done, cancel, again }) {
const names = texts.prospects.fields;
const key = prospect ? `prospects/${prospect.id}` : "prospects/new";
const draft = draftOf(key);
const base = draft?.base ?? fieldsOf(prospect);
const version = draft?.version ?? tag;
const shown = draft?.values ?? base;
const fields = new Map(Object.entries(names).map(([name, label]) => [name, field(label, {
type: name === "note" ? null : kinds[name] ?? "text", value: shown[name], autocomplete: "off", rows: name === "note" ? 3 : undefined,
})]));
const values = () => Object.fromEntries([...fields].map(([name, { input }]) => [name, input.value.trim()]));

return element("div", { class: "card" },
element("h2", {}, prospect ? texts.prospects.editTitle : texts.prospects.newTitle),
form([...fields.values()].map((made) => made.element), {
cancel,
draft: {
key, read: () => ({ base, version, values: values() }), restored: draft !== null,
discard: () => { dropDraft(key); again(); },
},
fieldOf: (error) => fields.get(error.code === "tooLong" ? error.problem.detail?.split(":")[0] : wrongFields[error.code]),
async send() {
const now = values();
const answer = prospect
? await saveChanges({
address: path(["prospects", prospect.id]), tag: version, base, values: now, names, queued: texts.queue.prospect(prospect.name || texts.unnamed),
fieldsOf: (current) => fieldsOf(current.prospect),
})
: await post(path(["prospects"]), { json: Object.fromEntries(Object.entries(now).filter(([, value]) => value !== "")), queued: texts.queue.newProspect(now.name || texts.unnamed) });
if (answer === null) return false;
clearError();
dropDraft(key);
if (answer.isQueued) {
cancel();
return true;
}
note(texts.prospects.saved(answer.prospect?.name ?? ""));
await done({ ...answer.prospect, id: answer.id });
return true;
},
}));
}
return { prospectForm };
})();
const m51 = (() => {
const { element, fill, freshId } = m0;
const { recordChoice } = m21;
const { fileButton } = m37;
const { icon } = m1;
const { isTyping } = m17;
const { letterIndex } = m39;
const { firstRow, enableRowKeys } = m22;
const { announce, fail } = m5;
const { panes } = m23;
const { get, path, tagOf } = m9;
const { address, go, goInstead } = m12;
const { rowContent, rowLink } = m20;
const { searchField } = m25;
const { may } = m10;
const { swipeable } = m26;
const { texts } = m2;
const { moment } = m8;
const { windowedList } = m27;
const { openBadge } = m45;
const { openCamera } = m47;
const { prospectChanges } = m48;
const { prospectDetail } = m49;
const { prospectForm } = m50;
const { scanPictures } = m46;
function prospectsView() {
let open = null;
let filter = "everyone";
let sort = "recent";
let reminders = new Map();
let loadingReminders = null;

const letters = letterIndex({ label: texts.prospects.letters, go: (number) => list.scrollToRow(number) });
const list = windowedList({
label: texts.views.prospects,
async load(cursor, limit, signal, stored = false) {
const [answer] = await Promise.all([
get(path(["prospects"], { filter, sort, cursor, limit }), { signal, stored }), stored ? loadReminders({ stored }) : loadingReminders,
]);
return answer;
},
row: prospectRow,
empty: () => (filter === "everyone"
? [element("h2", {}, texts.prospects.emptyTitle), element("p", {}, texts.prospects.empty)]
: element("p", {}, texts.prospects.emptyFilter[filter])),
loaded: (count) => {
if (!search.isOpen) announce(texts.prospects.count(count));
},
scrolled: (number) => letters.follow(number),
});
const rows = element("div", { class: "with-letters" }, list.element, letters.element);

async function loadReminders(options) {
if (!may("read", "reminders")) return;
const pending = new Map();
let cursor = null;
do {
const answer = await get(path(["reminders"], { state: "pending", limit: 100, cursor }), options);
for (const reminder of answer.results) pending.set(reminder.prospect, reminder);
cursor = answer.nextCursor ?? null;
} while (cursor !== null);
reminders = pending;
}

async function reload({ fromStart = false } = {}) {
loadingReminders = loadReminders();
const counts = sort === "name" ? get(path(["prospects", "letters"], { filter })) : { results: [] };
const [answer] = await Promise.all([counts, fromStart ? list.restart() : list.reload()]);
letters.show(answer.results);
}

function prospectRow(result, item) {
const prospect = result.prospect;
const reminder = reminders.get(result.id);
const link = rowLink(result, {
note: reminder && element("span", { class: "row-reminder" }, icon("bell"), moment(reminder.dueAt)),
});
const nameId = freshId("name");
link.querySelector(".row-title").id = nameId;
const box = element("input", {
type: "checkbox", class: "tick", "aria-label": texts.prospects.contacted, "aria-describedby": nameId, checked: prospect.contacted,
onchange: () => changes.setContacted(prospect, box.checked).catch((error) => {
box.checked = !box.checked;
fail(error);
}),
});
item.classList.toggle("contacted", prospect.contacted === true);
const moved = element("div", { class: "swipe" }, box, link);
swipeable(item, moved, {
right: () => changes.setContacted(prospect, !prospect.contacted).catch(fail),
left: () => changes.remind(prospect).catch(fail),
});
return [
element("span", { class: "behind behind-right", "aria-hidden": "true" }, icon("tick"), texts.prospects.contacted),
element("span", { class: "behind behind-left", "aria-hidden": "true" }, texts.prospects.remind, icon("bell")),
moved,
];
}

const changes = prospectChanges({
reminderOf: (id) => reminders.get(id),
async changed() {
await reload();
await search.refresh();
if (open !== null && !both.element.querySelector(".detail form")) await showDetail(open, false);
},
left(prospect) {
if (open === prospect.id) go("prospects");
},
});

list.list.addEventListener("keydown", (event) => {
if (isTyping(event) || event.target.matches("input")) return;
const id = event.target.closest("li")?.dataset.id;
const prospect = list.results.find((result) => result.id === id)?.prospect;
const act = prospect && {
" ": () => changes.setContacted(prospect, !prospect.contacted), r: () => changes.remind(prospect),
e: () => go("prospects", id, "edit"), Delete: () => changes.erase(prospect),
}[event.key];
if (!act) return;
event.preventDefault();
Promise.resolve(act()).catch(fail);
});

const filters = Object.entries(texts.prospects.filters).map(([key, name]) => element("button", {
type: "button", class: "segment", "aria-pressed": String(key === filter), onclick: () => {
filter = key;
for (const [other, button] of filters.entries()) {
button.setAttribute("aria-pressed", String(Object.keys(texts.prospects.filters)[other] === key));
}
Promise.all([reload({ fromStart: true }), search.refresh()]).catch(fail);
},
}, name));
const order = element("button", {
type: "button", class: "plain order", onclick: () => {
sort = sort === "recent" ? "name" : "recent";
nameOrder();
reload({ fromStart: true }).catch(fail);
},
});
function nameOrder() {
fill(order, icon("order"), texts.prospects.sorts[sort]);
order.setAttribute("aria-label", texts.prospects.sortedBy(texts.prospects.sorts[sort]));
}
nameOrder();

const tools = element("div", { class: "tools" },
element("button", { type: "button", class: "button primary", "aria-label": texts.prospects.camera, onclick: () => go("prospects", "camera") },
icon("camera"), texts.prospects.cameraShort),
fileButton(texts.prospects.picture, [icon("picture"), texts.prospects.pictureShort], {
accept: "image/png,image/jpeg", multiple: true, chosen: async (files) => {
await scanPictures(files);
await reload();
},
}),
element("a", { class: "button", href: address("prospects", "me") }, icon("badge"), texts.prospects.me),
element("a", { class: "button", href: address("prospects", "new") }, icon("add"), texts.prospects.add));
const filterLine = element("div", { class: "filters" },
element("div", { class: "segments", role: "group", "aria-label": texts.prospects.filter }, filters), order);
const search = searchField({
label: texts.prospects.label, placeholder: texts.prospects.placeholder,
search: (query, signal) => get(path(["prospects"], { q: query, filter, limit: 30 }), { signal }),
option: (result) => [rowContent(result), result.prospect?.contacted
&& element("span", { class: "row-kind" }, texts.prospects.contacted)],
choose: (result, query) => {
recordChoice(result, query);
go("prospects", result.id);
},
changed: (query, isOpen) => {
rows.hidden = isOpen;
if (!isOpen && list.results.length > 0) list.draw();
},
below: () => firstRow(list.list),
tools: [tools, filterLine],
});
enableRowKeys(list.list, () => search.input);

const both = panes([search.element, rows], texts.prospects.pick, "prospects");
const detail = prospectDetail(changes, (id) => reminders.get(id));

async function showDetail(id, focuses, action) {
const known = list.results.find((result) => result.id === id)?.prospect;
if (known && action !== "edit") both.show(detail(known), { focuses });
const answer = await get(path(["prospects", id]));
const { prospect } = answer;
if (open !== id) return;
if (action !== "edit") {
if (JSON.stringify(known) === JSON.stringify(prospect)) return;
both.show(detail(prospect), { focuses });
return;
}
both.show(prospectForm(prospect, tagOf(answer), {
done: async () => {
go("prospects", id);
await Promise.all([reload(), search.refresh()]);
},
cancel: () => go("prospects", id),
again: () => show([id, action]),
}), { focuses });
both.element.querySelector(".detail input")?.focus();
}

async function show([id, action], isNew) {
const before = open;
open = null;
if (isNew) await reload();
switch (id) {
case undefined:
both.empty();
if (!document.querySelector("dialog[open]")) both.restore(before ? list.rowOf(before) ?? firstRow(list.list) : null, search.input);
break;
case "camera":
await openCamera(() => reload().catch(fail));
if (location.hash === address("prospects", "camera")) goInstead("prospects");
break;
case "me":
await openBadge();
if (location.hash === address("prospects", "me")) goInstead("prospects");
break;
case "new":
both.show(prospectForm(null, null, {
done: async (prospect) => {
await reload();
go("prospects", prospect.id);
},
cancel: () => go("prospects"),
again: () => show(["new"]),
}));
both.element.querySelector(".detail input")?.focus();
break;
default:
open = id;
await showDetail(id, true, action);
}
}

return {
element: both.element,
show,
async refresh(changed) {
if (!changed.has("prospects") && !changed.has("reminders")) return;
await reload();
await search.refresh();
if (open !== null && !both.hasFocus && !both.element.querySelector(".detail form")) await showDetail(open, false);
},
};
}
return { prospectsView };
})();
const m52 = (() => {
const { element } = m0;
const { fail } = m5;
const { texts } = m2;
let offer = null;

addEventListener("beforeinstallprompt", (event) => {
event.preventDefault();
offer = event;
});

function installButton() {
if (offer === null) return null;
const button = element("button", {
type: "button", class: "button", onclick: () => {
offer.prompt().catch(fail);
offer = null;
button.remove();
},
}, texts.settings.installButton);
return button;
}
return { installButton };
})();
const m53 = (() => {
const { setAccess } = m33;
const { confirm, openDialog } = m3;
const { element, fill, freshId } = m0;
const { announce, endNotices, fail, note } = m5;
const { waiting } = m7;
const { get, path, post, put, remove } = m9;
const { may, signedIn, signOut } = m10;
const { texts } = m2;
const { dayOf } = m8;
const { installButton } = m52;
function settingsView() {
const access = element("div");
const tokens = element("div");
const calendar = element("div");
const notices = element("div");
const learning = element("div", { class: "segments", role: "group", "aria-label": texts.settings.learning });
const install = element("div");

async function loadAccess() {
const { results } = await get("/v1/access");
fill(access, results.map((grant) => {
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

async function pairDevice() {
const { url, picture } = await post("/v1/pairing");
const id = freshId("pairing");
const input = element("input", { id, class: "field-input", readonly: true, type: "text", onfocus: () => input.select() });
input.value = url;
await openDialog(texts.settings.pair, () => [
element("p", { class: "lead" }, texts.settings.pairLead),
element("img", { class: "qr", src: picture, alt: texts.settings.pairPicture, width: 220, height: 220 }),
element("div", { class: "field" }, element("label", { for: id }, texts.settings.pairAddress), input),
element("div", { class: "actions" }, element("button", { type: "button", class: "button", onclick: () => copy(input) }, texts.settings.copy)),
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

const isAll = (signedIn()?.scopes ?? []).includes("all");
const card = (...content) => element("section", { class: "card" }, content);
const whole = element("div", { class: "column settings" },
card(element("h2", {}, texts.settings.account), element("p", {}, texts.signIn.hello(signedIn()?.person ?? "")),
element("button", {
type: "button", class: "button", onclick: async () => {
try {
const count = waiting().length;
if (count > 0 && !(await confirm(texts.settings.waitAsk, texts.settings.waitText(count), texts.settings.signOut))) return;
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
element("button", { type: "button", class: "button", onclick: () => pairDevice().catch(fail) }, texts.settings.pairButton)),
may("read", "reminders") && card(element("h2", {}, texts.settings.calendar), element("p", { class: "muted" }, texts.settings.calendarLead), calendar),
may("write", "activities") && card(element("h2", {}, texts.settings.learning), element("p", { class: "muted" }, texts.settings.learningLead),
element("div", { class: "actions" }, learning,
element("button", { type: "button", class: "button", onclick: () => forget().catch(fail) }, texts.settings.forget))),
card(notices),
card(element("h2", {}, texts.settings.keys), element("dl", { class: "keys" }, texts.settings.keyTable.map(([key, meaning]) =>
[element("dt", {}, element("kbd", {}, key)), element("dd", {}, meaning)]))));

return {
element: whole,
async show(parts, isNew) {
if (!isNew) return;
showNotices();
fill(install, installButton());
const loaded = await Promise.allSettled([
may("read", "me") && loadAccess(), isAll && loadTokens(), may("read", "reminders") && loadCalendar(),
may("write", "activities") && loadLearning(),
]);
for (const part of loaded) {
if (part.status === "rejected") fail(part.reason);
}
},
};
}
return { settingsView };
})();
const m54 = (() => {
const { element } = m0;
const { UserError } = m4;
const { field, form } = m37;
const { hasKeyboard } = m17;
const { clearError } = m5;
const { address } = m12;
const { signIn } = m10;
const { texts } = m2;
function signInView(done) {
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
return { signInView };
})();
const m55 = (() => {
const { element } = m0;
const { confirm } = m3;
const { dropDrafts } = m11;
const { followDue, forgetDue } = m13;
const { followChanges, stopFollowing } = m14;
const { UserError } = m4;
const { frame } = m16;
const { globalKeys } = m17;
const { clearError, endNotices, fail } = m5;
const { installWorker } = m6;
const { onSignedOut } = m9;
const { address, goInstead, route } = m12;
const { forget, may, pair, remembered, resume, signedIn, removePairingCode } = m10;
const { texts } = m2;
const { activityView } = m28;
const { airportsView } = m36;
const { contactsView } = m43;
const { findView } = m44;
const { prospectsView } = m51;
const { settingsView } = m53;
const { signInView } = m54;
const { followQueue } = m15;
const makers = {
find: findView, contacts: contactsView, prospects: prospectsView, airports: airportsView, activity: activityView, settings: settingsView,
};
const views = new Map();
const page = frame(Object.keys(makers).map((view) => ({ view, href: address(view), name: texts.views[view] })));
let shown = null;
const scrolled = new Map();
const domains = {
find: ["contacts", "prospects", "airports", "index"], contacts: ["contacts"], prospects: ["prospects"], activity: ["activities", "index"],
};
const isPermitted = (view) => !signedIn() || !domains[view] || domains[view].some((domain) => may("read", domain));

function show() {
const asked = route();
const { view, parts } = isPermitted(asked.view) ? asked : { view: "settings", parts: [] };
const isPublic = view === "airports";
const name = signedIn() || isPublic ? view : "signIn";
if (!views.has(name)) views.set(name, name === "signIn" ? signInView(start) : makers[view]());
const next = views.get(name);
const isNew = next !== shown;
for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
if (isNew) {
clearError();
scrolled.set(shown, scrollY);
shown?.leave?.();
}
shown = next;
page.show({ view, title: name === "signIn" ? texts.signIn.title : texts.views[view], content: next.element, isNew });
if (isNew) scrollTo(0, 0);
Promise.resolve(next.show(parts, isNew)).then(() => {
if (isNew && shown === next && parts.length === 0) scrollTo(0, scrolled.get(next) ?? 0);
}).catch(fail);
}

function start() {
shown?.leave?.();
views.clear();
shown = null;
stopFollowing();
forgetDue();
page.permit(isPermitted);
followQueue(signedIn()?.person ?? null);
if (signedIn()) {
dropDrafts({ exceptOwn: true });
followDue();
}
if (signedIn()) followChanges((changed) => Promise.resolve(shown?.refresh?.(changed)).catch(fail));
show();
}

async function begin() {
document.body.append(element("a", { class: "skip", href: "#content", onclick: page.skip }, texts.skip), page.element);
onSignedOut(() => {
if (!signedIn()) return;
endNotices();
forget();
start();
});
addEventListener("hashchange", () => {
if (location.hash.startsWith("#pair=")) arrive();
else show();
});
addEventListener("signedout", () => {
dropDrafts();
start();
});
addEventListener("storage", ({ key }) => {
const before = signedIn()?.person;
if (key !== "session" || remembered()?.person === before) return;
dropDrafts();
start();
});
globalKeys(Object.keys(makers));
installWorker();
await arrive();
}

async function arrive() {
const code = removePairingCode();
if (code === null && remembered() !== null) {
await startAgain();
return;
}
let failure = null;
try {
if (code === null || !(await mayPair())) await resume();
else await pair(code);
} catch (error) {
failure = code !== null && error.status !== 0 ? new UserError(texts.errors.pairing) : error;
if (code !== null) await resume().catch(() => {});
}
if (location.hash === "") goInstead("find");
start();
if (failure !== null) fail(failure);
}

async function startAgain() {
if (location.hash === "") goInstead("find");
const before = JSON.stringify(signedIn());
start();
try {
if (JSON.stringify(await resume()) !== before) start();
} catch (error) {
fail(error);
}
}

async function mayPair() {
const session = await resume();
return session === null || await confirm(texts.pairing.title, texts.pairing.text(session.person), texts.pairing.yes, texts.pairing.no) === true;
}

begin();
return {  };
})();
