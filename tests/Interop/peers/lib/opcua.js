"use strict";
// node-opcua, from the one file that `npm ci` makes of it (package.json): to load its 1,600 files takes each script a
// second more. Where that file could not be made they do.
const fs = require("node:fs");
const path = require("node:path");

const bundle = path.join(__dirname, "../node_modules/.bundle/node-opcua.js");

module.exports = fs.existsSync(bundle) ? require(bundle) : require("node-opcua");
