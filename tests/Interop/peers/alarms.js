"use strict";
// Two clients and an alarm: the first one watches when its upstream is lost, the second one comes later and has to find
// it. They acknowledge at once; then it is shelved, commented, confirmed, and over when the upstream is back.
const opcua = require("./lib/opcua");
const { watchEvents } = require("./lib/events");
const { run, say, withSession } = require("./lib/peer");

const FIELDS = [
  "EventId", "EventType", "ConditionName", "BranchId", "Retain", "Severity", "ActiveState.Id", "AckedState.Id",
  "ConfirmedState.Id", "ShelvingState.CurrentState", "SuppressedOrShelved", "Comment", "ClientUserId",
];

async function call(session, objectId, methodId, ...inputArguments) {
  const result = await session.call({ objectId, methodId, inputArguments });
  return result.statusCode.name;
}

/** An upstream that was not there when the gateway started has left an alarm: it has to be over, and answered. */
async function settle(session, watched, alarm) {
  await call(session, "i=2782", "i=3875", { dataType: "UInt32", value: watched.subscription.subscriptionId });
  await watched.until((one) => one.type === "ns=0;i=2788");
  const last = () => watched.events.filter((one) => one.ConditionName === alarm).at(-1);
  while (last() && last()["ActiveState.Id"]) await new Promise((resolve) => { watched.told = resolve; });
  const left = last();
  if (left && left.Retain) {
    await session.acknowledgeCondition(left.ConditionId, left.EventId, "of the start");
    const acked = await watched.until((one) => one.ConditionName === alarm && one["AckedState.Id"]);
    await call(session, left.ConditionId, "i=9113", { dataType: "ByteString", value: acked.EventId },
      { dataType: "LocalizedText", value: { text: "of the start" } });
    await watched.until((one) => one.ConditionName === alarm && one.Retain === false);
  }
  watched.events.length = 0;
}

run(({ name }) => withSession((first) => withSession(async (second) => {
  const result = {};
  const alarm = `source ${name}`;
  const mine = await watchEvents(first, "i=2253", FIELDS);
  await settle(first, mine, alarm);
  say("watching");
  const active = await mine.until((one) => one.ConditionName === alarm && one["ActiveState.Id"]);
  const id = active.ConditionId.toString();
  Object.assign(result, {
    id, type: active.type, severity: active.Severity, retain: active.Retain, acked: active["AckedState.Id"],
  });

  // The one that comes later.
  const late = await watchEvents(second, "i=2253", FIELDS);
  const refresh = () => call(
    second, "i=2782", "i=3875", { dataType: "UInt32", value: late.subscription.subscriptionId });
  result.refresh = await refresh();
  await late.until((one) => one.type === "ns=0;i=2788");
  const bracket = late.events.map((one) => one.type);
  result.bracket = [bracket[0], bracket[bracket.length - 1]];
  const found = late.events.filter((one) => one.ConditionName === alarm);
  result.found = found.length === 1 && found[0].EventId.equals(active.EventId);
  result.foreign = mine.events.some((one) => one.type === "ns=0;i=2787");
  result.foreignSubscription = await call(
    first, "i=2782", "i=3875", { dataType: "UInt32", value: late.subscription.subscriptionId });
  const list = await opcua.installAlarmMonitoring(second);
  while (!list.alarms().some((one) => one.conditionId.toString() === id))
    await new Promise((resolve) => list.once("newAlarm", resolve));
  result.listed = list.alarms().length;

  result.acknowledge = (await Promise.all([first, second].map((session, i) =>
    session.acknowledgeCondition(active.ConditionId, active.EventId, `seen by ${i}`))))
    .map((status) => status.name).sort();
  const acked = await mine.until((one) => one.ConditionName === alarm && one["AckedState.Id"]);
  result.comment = /^seen by [01]$/.test(acked.Comment.text);
  result.unconfirmed = acked["ConfirmedState.Id"] === false;
  result.unknown = (await first.acknowledgeCondition(active.ConditionId, Buffer.from("none"), "")).name;

  result.shelve = await call(first, id, "i=9213", { dataType: "Double", value: 60000 });
  const shelved = await mine.until((one) => one.SuppressedOrShelved === true);
  result.shelved = shelved["ShelvingState.CurrentState"].text;
  result.shelveAgain = await call(first, id, "i=9213", { dataType: "Double", value: 60000 });
  result.unshelve = await call(second, id, "i=9211");
  result.unshelveAgain = await call(second, id, "i=9211");

  const answer = (session, method, comment) => call(
    session, id, method, { dataType: "ByteString", value: acked.EventId },
    { dataType: "LocalizedText", value: { text: comment } });
  result.addComment = await answer(second, "i=9029", "spare part ordered");
  await mine.until((one) => one.Comment && one.Comment.text === "spare part ordered");
  result.confirm = await answer(first, "i=9113", "done");
  await mine.until((one) => one.ConditionName === alarm && one["ConfirmedState.Id"] && one["AckedState.Id"]);
  say("answered");
  const over = await mine.until((one) => one.ConditionName === alarm && one["ActiveState.Id"] === false);
  result.over = over.Retain === false;
  late.events.length = 0;
  result.refreshAgain = await refresh();
  await late.until((one) => one.type === "ns=0;i=2788");
  result.gone = !late.events.some((one) => one.ConditionName === alarm && one.Retain);
  await opcua.uninstallAlarmMonitoring(second);
  return result;
})));
