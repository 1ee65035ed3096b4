"use strict";
// Two clients of the gateway and the alarms of a controller behind it: raised by a write through the gateway, found by
// the one that comes later, acknowledged by both at once, kept while the controller is away, and told as over when it
// is back without one of them.
const opcua = require("./lib/opcua");
const { watchEvents } = require("./lib/events");
const { run, say, withSession } = require("./lib/peer");

const FIELDS = [
  "EventId", "EventType", "SourceNode", "ConditionName", "Retain", "ActiveState.Id", "AckedState.Id", "Quality",
  "Comment", "Time", "ReceiveTime",
];

const watch = (session, nodeId) => watchEvents(session, nodeId, FIELDS, (event) => ({
  name: event.ConditionId ? /Alarm\d/.exec(event.ConditionId.toString())?.[0] : undefined,
}));

async function refresh(session, watched) {
  watched.events.length = 0;
  const result = await session.call({
    objectId: "i=2782", methodId: "i=3875",
    inputArguments: [{ dataType: "UInt32", value: watched.subscription.subscriptionId }],
  });
  await watched.until((one) => one.type === "ns=0;i=2788");
  return { status: result.statusCode.name, retained: watched.events.filter((one) => one.name && one.Retain) };
}

run(({ uri, upstream }) => withSession((first) => withSession(async (second) => {
  const result = {};
  await first.readNamespaceArray();
  const ns = first.getNamespaceIndex(uri);
  const mine = await watch(first, "i=2253");
  const upstreams = await watch(first, `ns=${first.getNamespaceIndex("urn:gateway:upstreams")};s=${upstream}`);
  const boiler = await watch(first, `ns=${ns};s=Boiler`);
  for (const i of [0, 1, 2])
    await first.write({
      nodeId: `ns=${ns};s=Level${i}`, attributeId: opcua.AttributeIds.Value,
      value: { value: { dataType: "Double", value: 90 } },
    });
  const active = [];
  for (const name of ["Alarm0", "Alarm1", "Alarm2"])
    active.push(await mine.until((one) => one.name === name && one["ActiveState.Id"]));
  result.source = active.every((one) => one.SourceNode.toString() === `ns=${ns};s=Boiler`);
  result.times = active.every((one) => one.ReceiveTime >= one.Time);
  await upstreams.until((one) => one.name === "Alarm2" && one["ActiveState.Id"]);
  await boiler.until((one) => one.name === "Alarm2" && one["ActiveState.Id"]);

  const late = await watch(second, "i=2253");
  const found = await refresh(second, late);
  result.refresh = found.status;
  result.found = found.retained.map((one) => one.name).sort();
  result.sameIds = active.every((one) => found.retained.some((other) => other.EventId.equals(one.EventId)));

  result.acknowledge = (await Promise.all([first, second].map((session, i) =>
    session.acknowledgeCondition(active[0].ConditionId, active[0].EventId, `seen by ${i}`))))
    .map((status) => status.name).sort();
  const acked = await mine.until((one) => one.name === "Alarm0" && one["AckedState.Id"]);
  result.comment = /^seen by [01]$/.test(acked.Comment.text);
  result.unknown = (await first.acknowledgeCondition(active[1].ConditionId, Buffer.from("none"), "")).name;

  mine.events.length = 0;
  say("raised");
  // An acknowledged one is of interest only as long as its controller says so.
  for (const name of acked.Retain ? ["Alarm0", "Alarm1", "Alarm2"] : ["Alarm1", "Alarm2"])
    await mine.until((one) => one.name === name && one.Quality.name === "BadNoCommunication");
  result.away = (await second.acknowledgeCondition(active[1].ConditionId, active[1].EventId, "later")).name;
  mine.events.length = 0;
  say("away");
  const gone = await mine.until((one) => one.name === "Alarm1" && one.Retain === false);
  result.gone = gone["ActiveState.Id"] === false;
  const after = await refresh(second, late);
  // What the controller raises anew may come beside the refresh.
  result.after = [...new Set(after.retained.map((one) => one.name))].sort();
  result.good = after.retained.every((one) => one.Quality.name === "Good" && one["ActiveState.Id"]);
  say("back");
  return result;
})));
