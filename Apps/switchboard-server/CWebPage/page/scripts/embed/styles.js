// The styles of the airport picker for other sites. A site changes them with the custom properties, ::part(field) and
// ::part(list). The colors follow the color scheme of the site.

export const styles = `
:host {
    --accent: var(--switchboard-accent, light-dark(#0b5f5a, #7fd6c8)); --ink: var(--switchboard-ink, light-dark(#182024, #e9eef0));
    --muted: var(--switchboard-muted, light-dark(#55626a, #a3b0b7)); --surface: var(--switchboard-surface, light-dark(#ffffff, #191f24));
    --line: var(--switchboard-line, light-dark(#7f8c92, #74828a)); --chosen: var(--switchboard-chosen, light-dark(#e0efec, #1d3936));
    --mark: var(--switchboard-mark, light-dark(#ffe08a, #6b5410)); --on-mark: var(--switchboard-on-mark, light-dark(#2b2106, #fff3cc));
    display: inline-block; position: relative; width: 20rem; max-width: 100%; font: inherit; text-align: start; line-height: 1.4;
}
:host([hidden]), [hidden] { display: none !important; }
*, *::before { box-sizing: border-box; }
.search-box { position: relative; display: flex; align-items: center; }
.search-box > .icon { position: absolute; inset-inline-start: 0.7em; color: var(--muted); pointer-events: none; }
.icon { width: 1.3em; height: 1.3em; fill: none; stroke: currentcolor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
input {
    font: inherit; color: var(--ink); background: var(--surface); width: 100%; min-height: 44px; margin: 0; padding: 0.4em 44px 0.4em 2.5em;
    border: 1px solid var(--line); border-radius: 8px;
}
input:dir(rtl) { padding: 0.4em 2.5em 0.4em 44px; }
input::placeholder { color: var(--muted); opacity: 1; }
input:focus-visible { outline: 3px solid var(--accent); outline-offset: -1px; }
input:disabled { opacity: 0.6; }
button {
    position: absolute; inset-inline-end: 0; width: 44px; height: 44px; padding: 0; border: 0; background: none; color: var(--muted); cursor: pointer;
}
button:focus-visible { outline: 3px solid var(--accent); outline-offset: -6px; border-radius: 10px; }
.options, .nothing, .note {
    position: absolute; z-index: 1000; inset-inline: 0; top: calc(100% + 4px); margin: 0; padding: 0; list-style: none; overflow: auto; max-height: min(22rem, 60vh);
    color: var(--ink); background: var(--surface); border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 6px 20px rgb(0 0 0 / 18%);
}
.nothing, .note { padding: 0.8em; color: var(--muted); }
.option { display: flex; align-items: center; gap: 0.7em; min-height: 44px; padding: 0.3em 0.8em; cursor: pointer; overflow-wrap: anywhere; }
.option[aria-selected="true"] { background: var(--chosen); box-shadow: inset 3px 0 var(--accent); }
@media (hover: hover) { .option:hover { background: var(--chosen); } }
@media (forced-colors: active) { .option[aria-selected="true"] { outline: 2px solid Highlight; outline-offset: -2px; } }
.code.nested { margin-inline-start: 1.2em; }
.code { flex: none; min-width: 2.6em; font-weight: 700; color: var(--accent); font-variant-numeric: tabular-nums; }
.title, .subtitle { display: block; }
.subtitle { color: var(--muted); font-size: 0.875em; }
mark { background: var(--mark); color: var(--on-mark); border-radius: 2px; }
.status:not(.note) { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;
