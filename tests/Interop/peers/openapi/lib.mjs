// Shared by the scripts of this folder. A script is started as `node <script> '<json arguments>'` and says its result
// as one line that starts with '@', as the peers beside this folder do.
import { Validator } from "@seriousme/openapi-schema-validator";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";

export const args = JSON.parse(process.argv[2] ?? "{}");

const json = "application/json";
const problem = "application/problem+json";

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

/** Sends each example of an operation and checks the answers against the document. */
export async function sendExamples(root, one, check, failures) {
  const names = namesOf(one.operation);
  const sent = [];
  for (const name of names.size > 0 ? names : [null]) sent.push(await sendExample(root, one, name, check, failures));
  return sent;
}

function bodyOf(operation) {
  return operation.requestBody?.content?.[json];
}

function namesOf(operation) {
  const names = new Set((operation.parameters ?? []).flatMap((one) => Object.keys(one.examples ?? {})));
  for (const name of Object.keys(bodyOf(operation)?.examples ?? {})) names.add(name);
  return names;
}

async function sendExample(root, { path, method, operation }, name, check, failures) {
  const at = `${method} ${path} ${name ?? ""}`.trim();
  const fail = (text) => failures.push(`${at}: ${text}`);
  const expected = expectedOf(operation, name);
  const { url, headers } = address(root + path, operation, name, fail);
  if (expected.type) headers.accept = expected.type;
  const body = bodyOf(operation)?.examples?.[name]?.value;
  if (body !== undefined) {
    headers["content-type"] = json;
    const wrong = check(["paths", path, method, "requestBody", "content", json, "schema"], body);
    if (expected.status === 200 && wrong) fail(`the example does not fit its schema: ${wrong}`);
  }
  const answer = await fetch(url, { method: method.toUpperCase(), headers, body: body && JSON.stringify(body) });
  const type = (answer.headers.get("content-type") ?? "").split(";")[0];
  const status = String(answer.status);
  const described = operation.responses[status];
  if (answer.status !== expected.status) fail(`${status}, but ${expected.status} was expected`);
  if (described && !described.content && type === "") return at;
  const content = described?.content?.[type];
  if (!content) {
    fail(`${status} ${type} is not described: ${await answer.text()}`);
    return at;
  }
  const place = ["paths", path, method, "responses", status, "content", type];
  if (type === "text/event-stream") {
    const wrong = check([...place, "x-itemSchema"], await firstEvent(answer));
    if (wrong) fail(wrong);
    return at;
  }
  const value = type.endsWith("json") ? await answer.json() : await answer.text();
  const wrong = check([...place, "schema"], value);
  if (wrong) fail(`the answer does not fit its schema: ${wrong}: ${JSON.stringify(value)}`);
  for (const [other, example] of Object.entries(content.examples ?? {})) {
    const unfit = check([...place, "schema"], example.value);
    if (unfit) fail(`the example ${other} of the answer does not fit its schema: ${unfit}`);
  }
  if (type === problem && content.examples && !content.examples[value.statusCode])
    fail(`${status} with ${value.statusCode} is not described`);
  return at;
}

/** The answer that has an example of that name, what the example itself says, or 200. */
function expectedOf(operation, name) {
  for (const [status, response] of Object.entries(operation.responses))
    for (const [type, content] of Object.entries(response.content ?? {}))
      if (name !== null && content.examples?.[name]) return { status: Number(status), type };
  const named = [...(operation.parameters ?? []), bodyOf(operation) ?? {}].map((one) => one.examples?.[name]);
  return { status: named.find((one) => one?.["x-status"])?.["x-status"] ?? 200 };
}

function address(path, operation, name, fail) {
  const headers = { authorization: args.authorization };
  const query = new URLSearchParams();
  for (const parameter of operation.parameters ?? []) {
    const value = parameter.examples?.[name]?.value;
    if (value === undefined) {
      if (parameter.required) fail(`no example of the parameter ${parameter.name}`);
    } else if (parameter.in === "path") {
      path = path.replace(`{${parameter.name}}`, encodeURIComponent(value));
    } else if (parameter.in === "header") {
      headers[parameter.name] = value;
    } else if (Array.isArray(value) && parameter.explode !== false) {
      for (const one of value) query.append(parameter.name, one);
    } else {
      query.append(parameter.name, value);
    }
  }
  const text = query.toString();
  return { url: args.baseUrl + path + (text ? "?" + text : ""), headers };
}

async function firstEvent(answer) {
  let text = "";
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const data = /^data: (.*)$/m.exec(text);
    if (data && text.indexOf("\n\n", data.index) >= 0) return JSON.parse(data[1]);
  }
  throw new Error("the stream ended without an event: " + text);
}
