// Sends the example of each service to a gateway, within one session, and checks the answers against the document.
import { args, load, operationsOf, run, sendExamples } from "./lib.mjs";

const root = "/opcua";
const json = "application/json";
const badServiceUnsupported = 0x800b0000;
const unsupported = ["historyread", "historyupdate"];
const order = [
  "findservers", "getendpoints", "read", "write", "call", "browse", "browsenext", "translate", ...unsupported,
  "createsession", "activatesession", "registernodes", "unregisternodes", "createsubscription",
  "createmonitoreditems", "modifymonitoreditems", "setmonitoringmode", "settriggering", "modifysubscription",
  "setpublishingmode", "publish", "republish", "transfersubscriptions", "deletemonitoreditems",
  "deletesubscriptions", "cancel", "closesession",
];

/** What earlier answers have returned, by the member that names it in a request. */
const live = {};

run(async () => {
  const { document, failures, check } = await load(root);
  const operations = operationsOf(document);
  const described = operations.filter((one) => one.method === "post").map((one) => one.path.slice(1));
  if (described.toSorted().join() !== order.toSorted().join()) failures.push("services: " + described.join());
  for (const service of order)
    await sendAsync(service, document, check, (text) => failures.push(`${service}: ${text}`));
  for (const one of operations.filter((one) => one.method !== "post")) await sendExamples(root, one, check, failures);
  return { operations: operations.length, sent: order, failures, schemas: Object.keys(document.components.schemas).length };
});

async function sendAsync(service, document, check, fail) {
  const operation = document.paths["/" + service].post;
  const content = operation.requestBody.content[json];
  for (const example of Object.values(content.examples)) {
    const wrong = check(["paths", "/" + service, "post", "requestBody", "content", json, "schema"], example.value);
    if (wrong) fail(`the example does not fit its schema: ${wrong}`);
    const body = JSON.stringify(example.value, (key, value) => live[key] ?? value);
    const answer = await fetch(args.baseUrl + root + "/" + service, {
      method: "POST", headers: { authorization: args.authorization, "content-type": json }, body,
    });
    const text = await answer.text();
    const status = String(answer.status);
    if (answer.status !== 200) fail(`${status} ${text}`);
    const type = (answer.headers.get("content-type") ?? "").split(";")[0];
    const response = JSON.parse(text);
    const unfit = check(["paths", "/" + service, "post", "responses", status, "content", type, "schema"], response);
    if (unfit) fail(`the answer does not fit its schema: ${unfit}: ${text}`);
    const result = response.ResponseHeader.ServiceResult?.Code ?? 0;
    if (result !== (unsupported.includes(service) ? badServiceUnsupported : 0)) fail(text);
    for (const one of badOf(service, response)) fail(`an operation of the example is refused: ${one}`);
    keep(service, response);
  }
}

/** The StatusCodes of its operations that are bad: each alone, or in the member of a result. Of a Publish they are of
 * earlier messages, and a subscription goes from one session to another only. */
function badOf(service, response) {
  if (service === "publish" || service === "transfersubscriptions") return [];
  return (response.Results ?? []).map((one) => one?.Code ?? one?.StatusCode?.Code ?? one?.Status?.Code ?? 0)
    .filter((code) => code >= 0x80000000);
}

function keep(service, response) {
  switch (service) {
    case "browse":
      live.ContinuationPoints = [response.Results[0].ContinuationPoint];
      break;
    case "createsession":
      live.AuthenticationToken = response.AuthenticationToken;
      break;
    case "createsubscription":
      live.SubscriptionId = response.SubscriptionId;
      live.SubscriptionIds = [response.SubscriptionId];
      break;
    case "createmonitoreditems":
      live.MonitoredItemId = live.TriggeringItemId = response.Results[0].MonitoredItemId;
      live.MonitoredItemIds = live.LinksToAdd = [live.MonitoredItemId];
      break;
    case "publish":
      live.RetransmitSequenceNumber = response.NotificationMessage.SequenceNumber;
      break;
  }
}
