"use strict";
// Three users watch the Server object: an auditor, an auditor whose channel is signed alone, and an operator. Somebody
// tries a wrong password, and the operator writes. Tells the AuditEvents that each of them got.
const { opcua, args, run, describe, withSession } = require("./lib/peer");

const FIELDS = [
  "EventType", "SourceName", "SourceNode", "Status", "ActionTimeStamp", "ClientUserId", "ServerId", "NewValue",
];

const identity = (userName, password) => ({ type: opcua.UserTokenType.UserName, userName, password });
const auditor = identity("auditor", "ledger");
const operator = identity("operator", "correct horse");
const ACTIVATED = "ns=0;i=2075";
const WRITTEN = "ns=0;i=2100";

async function watch(session) {
  const subscription = await session.createSubscription2({
    requestedPublishingInterval: 100, requestedLifetimeCount: 1000, requestedMaxKeepAliveCount: 10,
    maxNotificationsPerPublish: 0, publishingEnabled: true, priority: 0,
  });
  const operand = (typeDefinitionId, name) => new opcua.SimpleAttributeOperand({
    typeDefinitionId, attributeId: opcua.AttributeIds.Value, browsePath: [{ namespaceIndex: 0, name }],
  });
  const item = await subscription.monitor(
    { nodeId: "i=2253", attributeId: opcua.AttributeIds.EventNotifier },
    {
      samplingInterval: 0, queueSize: 1000, discardOldest: true,
      filter: new opcua.EventFilter({ selectClauses: FIELDS.map((name) => operand("i=2041", name)) }),
    },
    opcua.TimestampsToReturn.Neither, opcua.MonitoringMode.Reporting);
  const events = [];
  let told = () => {};
  item.on("changed", (values) => {
    events.push(Object.fromEntries(values.map((one, i) => [FIELDS[i], one.value])));
    told();
  });
  const until = async (found) => {
    for (;;) {
      const event = events.find(found);
      if (event) return event;
      await new Promise((resolve) => { told = resolve; });
    }
  };
  return { events, until };
}

const shown = (event) => ({
  source: event.SourceName, node: event.SourceNode && event.SourceNode.toString(), ok: event.Status,
  user: event.ClientUserId, hasTime: event.ActionTimeStamp instanceof Date, server: event.ServerId,
  value: event.NewValue,
});

/** A gateway that was late for a moment tells so, too. */
const audits = ({ events }) => events.filter((event) => event.ActionTimeStamp instanceof Date).length;

async function refused(userIdentity) {
  try {
    await withSession(async () => {}, {}, userIdentity);
    return null;
  } catch (error) {
    return describe(error).status;
  }
}

run(() => withSession((first) => withSession((second) => withSession(async (third) => {
  const [seen, signed, plain] = [await watch(first), await watch(second), await watch(third)];
  const wrong = await refused(identity("operator", "a secret that is wrong"));
  const write = (await third.write({
    nodeId: args.writable, attributeId: opcua.AttributeIds.Value, value: { value: { dataType: "Int32", value: 4711 } },
  })).name;
  const login = await seen.until((one) =>
    one.EventType.toString() === ACTIVATED && one.Status === false && one.ClientUserId === "operator");
  const written = await seen.until((one) => one.EventType.toString() === WRITTEN);
  return {
    wrong, write, login: shown(login), written: shown(written), isInClear: audits(signed), others: audits(plain),
    secrets: JSON.stringify(seen.events, (_key, value) => (typeof value === "bigint" ? String(value) : value))
      .includes("a secret"),
  };
}, {}, operator), { securityMode: opcua.MessageSecurityMode.Sign }, auditor), {}, auditor));
