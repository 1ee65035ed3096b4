// Generates the types of a client from the documents of a gateway, compiles client.ts with them, and runs it.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import { args, run } from "./lib.mjs";

const folder = new URL("./generated/", import.meta.url);

run(async () => {
  mkdirSync(folder, { recursive: true });
  const began = performance.now();
  await generateAsync("/api/v1", "api.ts");
  await generateAsync("/opcua", "opcua.ts");
  const generated = performance.now();
  compile("tsconfig.json");
  const compiled = performance.now();
  const { readWriteRead, readByService } = await import(new URL("out/client.js", folder).href);
  return {
    ...(await readWriteRead(args.baseUrl, args.authorization)),
    service: await readByService(args.baseUrl, args.authorization),
    generatedMs: Math.round(generated - began), compiledMs: Math.round(compiled - generated),
  };
});

async function generateAsync(root, file) {
  const answer = await fetch(`${args.baseUrl}${root}/openapi.json`, { headers: { authorization: args.authorization } });
  if (!answer.ok) throw new Error(`${root}/openapi.json: ${answer.status}`);
  writeFileSync(new URL(file, folder), astToString(await openapiTS(await answer.json())));
}

function compile(project) {
  const compiler = new URL("./node_modules/typescript/bin/tsc", import.meta.url);
  try {
    execFileSync(process.execPath, [compiler.pathname, "-p", new URL(project, import.meta.url).pathname]);
  } catch (error) {
    throw new Error(`client.ts does not compile:\n${error.stdout}`);
  }
}
