// Sends each example of the resource API's document to a gateway and checks the answers against the document.
import { load, operationsOf, run, sendExamples } from "./lib.mjs";

const root = "/api/v1";

run(async () => {
  const { document, failures, check } = await load(root);
  const operations = operationsOf(document);
  const sent = [];
  for (const one of operations) sent.push(...(await sendExamples(root, one, check, failures)));
  return { operations: operations.length, sent, failures };
});
