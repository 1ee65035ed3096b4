"use strict";
// Watches the events of the Server object, of one upstream's object and of another one's, until the first upstream is
// lost and back.
const { opcua, run, say, withSession, namespaceIndex } = require("./lib/peer");

const FIELDS = ["EventId", "EventType", "SourceNode", "SourceName", "Time", "ReceiveTime", "Message", "Severity"];

run(({ name, other }) => withSession(async (session) => {
  const ns = await namespaceIndex(session, "urn:gateway:upstreams");
  const subscription = await session.createSubscription2({
    requestedPublishingInterval: 100, requestedLifetimeCount: 1000, requestedMaxKeepAliveCount: 10,
    maxNotificationsPerPublish: 0, publishingEnabled: true, priority: 0,
  });
  let told = () => {};
  const watch = async (nodeId, ...where) => {
    const item = await subscription.monitor(
      { nodeId, attributeId: opcua.AttributeIds.EventNotifier },
      { samplingInterval: 0, queueSize: 100, discardOldest: true, filter: opcua.constructEventFilter(FIELDS, ...where) },
      opcua.TimestampsToReturn.Neither, opcua.MonitoringMode.Reporting);
    const events = [];
    item.on("changed", (values) => {
      events.push(Object.fromEntries(values.map((one, i) => [FIELDS[i], one.value])));
      told();
    });
    return events;
  };
  const all = await watch("i=2253");
  const failures = await watch("i=2253", opcua.ofType("DeviceFailureEventType"));
  const mine = await watch(`ns=${ns};s=${name}`);
  const others = await watch(`ns=${ns};s=${other}`);
  const until = async (done) => {
    while (!done()) await new Promise((resolve) => { told = resolve; });
  };
  const typed = (events, type) => events.filter((one) => one.SourceName === name && one.EventType.toString() === type);
  say("watching");
  await until(() => [all, failures, mine].every((events) => typed(events, "ns=0;i=2131").length > 0));
  say("lost");
  await until(() => [all, mine].every((events) => typed(events, "ns=0;i=2130").length > 0));
  const [lost] = typed(all, "ns=0;i=2131");
  const [same] = typed(mine, "ns=0;i=2131");
  return {
    isSame: lost.EventId.equals(same.EventId),
    sourceNode: lost.SourceNode.toString(), expected: `ns=${ns};s=${name}`,
    severity: lost.Severity, message: lost.Message.text, hasTimes: lost.Time <= lost.ReceiveTime,
    others: others.filter((one) => one.SourceName === name).length,
    onlyFailures: failures.every((one) => one.EventType.toString() === "ns=0;i=2131"),
  };
}));
