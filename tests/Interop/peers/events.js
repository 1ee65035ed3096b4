"use strict";
// Watches the events of the Server object, of one upstream's object and of another one's, until the first upstream is
// lost and back.
const { opcua, run, say, withSession, namespaceIndex } = require("./lib/peer");

const FIELDS = ["EventId", "EventType", "SourceNode", "SourceName", "Time", "ReceiveTime", "Message", "Severity"];

const field = (path, typeDefinitionId = "i=2041") => new opcua.SimpleAttributeOperand({
  typeDefinitionId, attributeId: opcua.AttributeIds.Value, browsePath: [{ namespaceIndex: 0, name: path }],
});
const element = (index) => new opcua.ElementOperand({ index });
const literal = (dataType, value) => new opcua.LiteralOperand({ value: { dataType, value } });

/** Lets the loss of one upstream pass, by many operators. */
const lossOf = (name, other) => new opcua.ContentFilter({
  elements: [
    ["And", element(1), element(2)],
    ["OfType", literal("NodeId", opcua.resolveNodeId("i=2131"))],
    ["And", element(3), element(4)],
    ["Between", field("Severity"), literal("UInt16", 600), literal("UInt16", 800)],
    ["And", element(5), element(6)],
    ["Like", field("Message"), literal("String", `${name} is %`)],
    ["And", element(7), element(8)],
    ["InList", field("SourceName"), literal("String", other), literal("String", name)],
    ["Not", element(9)],
    ["IsNull", field("SourceNode")],
  ].map(([operator, ...filterOperands]) => ({ filterOperator: opcua.FilterOperator[operator], filterOperands })),
});

run(({ name, other }) => withSession(async (session) => {
  const ns = await namespaceIndex(session, "urn:gateway:upstreams");
  const subscription = await session.createSubscription2({
    requestedPublishingInterval: 100, requestedLifetimeCount: 1000, requestedMaxKeepAliveCount: 10,
    maxNotificationsPerPublish: 0, publishingEnabled: true, priority: 0,
  });
  let told = () => {};
  const watch = async (nodeId, where, select = []) => {
    const filter = opcua.constructEventFilter(FIELDS, where);
    filter.selectClauses.push(...select);
    const item = await subscription.monitor(
      { nodeId, attributeId: opcua.AttributeIds.EventNotifier },
      { samplingInterval: 0, queueSize: 100, discardOldest: true, filter },
      opcua.TimestampsToReturn.Neither, opcua.MonitoringMode.Reporting);
    const events = [];
    events.codes = item.filterResult && item.filterResult.selectClauseResults.map((one) => one.name);
    item.on("changed", (values) => {
      events.push(Object.fromEntries(values.map((one, i) => [FIELDS[i], one.value])));
      told();
    });
    return events;
  };
  const all = await watch("i=2253");
  const failures = await watch("i=2253", opcua.ofType("DeviceFailureEventType"));
  const mine = await watch(`ns=${ns};s=${name}`);
  const others = await watch(`ns=${ns};s=${other}`, undefined, [field("Severity", "i=58")]);
  const chosen = await watch("i=2253", lossOf(name, other));
  const until = async (done) => {
    while (!done()) await new Promise((resolve) => { told = resolve; });
  };
  const typed = (events, type) => events.filter((one) => one.SourceName === name && one.EventType.toString() === type);
  say("watching");
  await until(() => [all, failures, mine, chosen].every((events) => typed(events, "ns=0;i=2131").length > 0));
  say("lost");
  await until(() => [all, mine].every((events) => typed(events, "ns=0;i=2130").length > 0));
  const failed = typed(all, "ns=0;i=2131");
  const [lost] = failed;
  const [same] = typed(mine, "ns=0;i=2131");
  return {
    isSame: lost.EventId.equals(same.EventId),
    sourceNode: lost.SourceNode.toString(), expected: `ns=${ns};s=${name}`,
    severity: lost.Severity, message: lost.Message.text, hasTimes: lost.Time <= lost.ReceiveTime,
    isChosen: chosen.every((one) => failed.some((two) => two.EventId.equals(one.EventId))), codes: others.codes,
    others: others.filter((one) => one.SourceName === name).length,
    onlyFailures: failures.every((one) => one.EventType.toString() === "ns=0;i=2131"),
  };
}));
