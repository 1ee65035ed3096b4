// Shared by the scripts of this folder. A script is started as `node <script> '<json arguments>'` and says its result
// as one line that starts with '@', as the peers beside this folder do.
import { Validator } from "@seriousme/openapi-schema-validator";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";

export const args = JSON.parse(process.argv[2] ?? "{}");

export function say(event, more) {
  process.stdout.write("@" + JSON.stringify({ event, ...more }) + "\n");
}

export function run(main) {
  main().then(
    (result) => { say("result", { result }); process.exit(0); },
    (error) => { say("failed", { error: String(error), stack: error?.stack }); process.exit(1); });
}

/** A document of the gateway with what its rules find wrong in it. */
export async function load(root) {
  const answer = await fetch(args.baseUrl + root + "/openapi.json", { headers: { authorization: args.authorization } });
  if (answer.status !== 200) throw new Error(`${root}/openapi.json: ${answer.status} ${await answer.text()}`);
  const document = await answer.json();
  const failures = [];
  const verdict = await new Validator().validate(structuredClone(document));
  if (!verdict.valid) failures.push(`${root} is no OpenAPI 3.1: ${JSON.stringify(verdict.errors)}`);
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, validateFormats: true });
  addFormats.default(ajv);
  const rules = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
  addFormats.default(rules);
  rules.addVocabulary(["x-enum-varnames"]);
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    // Names alone here: the references are resolved below.
    const alone = JSON.parse(JSON.stringify(schema, (key, value) => (key === "$ref" ? undefined : value)));
    try { rules.compile(alone); } catch (error) { failures.push(`schema ${name}: ${error.message}`); }
  }
  ajv.addSchema(document, "document");
  return { document, failures, check: (place, value) => check(ajv, place, value) };
}

/** What does not fit the schema at a JSON pointer of the document; null: all fits. */
function check(ajv, place, value) {
  const pointer = "#" + place.map((one) => "/" + encodeURIComponent(one.replaceAll("~", "~0").replaceAll("/", "~1")))
    .join("");
  const validate = ajv.getSchema("document" + pointer);
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

export function operationsOf(document) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })));
}
