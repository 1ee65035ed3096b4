"use strict";
// node-opcua, from the one file that `npm ci` makes of it (package.json): to load its 1,600 files takes each script a
// second more. Where that file could not be made they do. Its machine-independent code, as V8 compiled it, lies beside
// it from the first script on: else each script compiles it anew.
const fs = require("node:fs");
const { createRequire, wrap } = require("node:module");
const path = require("node:path");
const vm = require("node:vm");

const bundle = path.join(__dirname, "../node_modules/.bundle/node-opcua.js");

// On Node.js 20 and 21 each start makes a key of 4,096 bits, only to warn of a padding that these have not. It costs
// more than all else of a start.
const { subtle } = require("node:crypto");
subtle.generateKey = () => new Promise(() => {});
module.exports = fs.existsSync(bundle) ? load() : require("node-opcua");
delete subtle.generateKey;

function load() {
  const compiled = `${bundle}.${process.version}`;
  const cachedData = fs.existsSync(compiled) ? fs.readFileSync(compiled) : undefined;
  const script = new vm.Script(wrap(fs.readFileSync(bundle, "utf8")), { filename: bundle, cachedData });
  const made = { exports: {} };
  script.runInThisContext()(made.exports, createRequire(bundle), made, bundle, path.dirname(bundle));
  if (!cachedData || script.cachedDataRejected) process.once("exit", () => keep(script, compiled));
  return made.exports;
}

/** What has run by then is in it. Several may keep theirs at the same time: each file is whole. */
function keep(script, compiled) {
  const own = `${compiled}.${process.pid}`;
  try {
    fs.writeFileSync(own, script.createCachedData());
    fs.renameSync(own, compiled);
  } catch {
    // A folder that cannot be written: the next script compiles anew.
  }
}
