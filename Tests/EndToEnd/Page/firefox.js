// Lets Playwright drive Debian's Firefox, over WebDriver BiDi: without the emulation of color schemes, a command that this Firefox
// does not know and that Playwright sends for each window. Loaded with --require (NODE_OPTIONS).

const Module = require("module");

const compile = Module.prototype._compile;
const emulation = /(async (?:doUpdateDefaultEmulatedMedia|updateEmulateMedia)\(\) \{)(?=\s*const features = [^;]*;\s*const colorScheme)/g;

Module.prototype._compile = function (content, filename) {
    return compile.call(this, filename.endsWith("coreBundle.js") ? content.replace(emulation, "$1 return;") : content, filename);
};
