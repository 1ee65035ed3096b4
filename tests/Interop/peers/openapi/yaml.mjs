// Prints a YAML file as JSON; a key that comes twice is an error.
import { readFileSync } from "node:fs";
import { load } from "js-yaml";

console.log(JSON.stringify(load(readFileSync(process.argv[2], "utf8"))));
