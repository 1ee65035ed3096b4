// Sends each example of the resource API's document to a gateway and checks the answers against the document.
import { args, load, operationsOf, run } from "./lib.mjs";

const root = "/api/v1";
const json = "application/json";
const problem = "application/problem+json";

run(async () => {
  const { document, failures, check } = await load(root);
  const sent = [];
  for (const one of operationsOf(document)) {
    if (one.operation["x-notSent"]) {
      sent.push(`${one.method} ${one.path} (not sent: ${one.operation["x-notSent"]})`);
      continue;
    }
    const names = namesOf(one.operation);
    for (const name of names.size > 0 ? names : [null])
      sent.push(await sendAsync(one, name, check, failures));
  }
  return { operations: operationsOf(document).length, sent, failures };
});

function bodyOf(operation) {
  return operation.requestBody?.content?.[json];
}

function namesOf(operation) {
  const names = new Set((operation.parameters ?? []).flatMap((one) => Object.keys(one.examples ?? {})));
  for (const name of Object.keys(bodyOf(operation)?.examples ?? {})) names.add(name);
  return names;
}

async function sendAsync({ path, method, operation }, name, check, failures) {
  const at = `${method} ${path} ${name ?? ""}`.trim();
  const fail = (text) => failures.push(`${at}: ${text}`);
  const expected = expectedOf(operation, name);
  const { url, headers } = address(path, operation, name, fail);
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
  return { url: args.baseUrl + root + path + (text ? "?" + text : ""), headers };
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
