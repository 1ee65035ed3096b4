"use strict";
// A durable subscription: its client goes, values come, the gateway is replaced, a new client takes it over. Tells
// "away" with what it has seen by then, and goes on once the test has sent a line.
const { opcua, run, say } = require("./lib/peer");
const { visit } = require("./lib/visit");
const { refusal } = require("./lib/raw");
const { DataType } = opcua;

const SET_SUBSCRIPTION_DURABLE = "i=12749";
const SERVER_METHODS = ["i=11492", "i=12873", SET_SUBSCRIPTION_DURABLE];

const uint32 = (value) => ({ dataType: DataType.UInt32, value });

const numbers = (message) => message.values.map(({ value }) => value);

const nextLine = () => new Promise((resolve) => process.stdin.once("data", resolve));

/** One change after the other: each Write is answered before the next. */
async function count(raw, from, to) {
  for (let value = from; value <= to; value++) await raw.write("Int32", DataType.Int32, value);
}

async function takeOver(raw, subscriptionId, last) {
  const [transferred] = await raw.transfer(false, subscriptionId);
  const again = numbers(await raw.republish({ subscriptionId }, transferred.available[0]));
  const values = [];
  let acknowledged = { subscriptionId, sequenceNumber: transferred.available[0] };
  while (!values.includes(last)) {
    const message = await raw.notified(acknowledged);
    values.push(...numbers(message));
    acknowledged = { subscriptionId, sequenceNumber: message.sequenceNumber };
  }
  return { transferred, again, values };
}

run(async ({ last }) => {
  const first = await visit("operator");
  await first.raw.write("Int32", DataType.Int32, 1);
  const { subscriptionId } = await first.raw.subscribe({ requestedLifetimeCount: 100 });
  const stranger = await visit("operator");
  const strangerSets = await stranger.raw.call(SET_SUBSCRIPTION_DURABLE, uint32(subscriptionId), uint32(1));
  const set = await first.raw.call(SET_SUBSCRIPTION_DURABLE, uint32(subscriptionId), uint32(24));
  const [item] = await first.raw.monitor({ subscriptionId }, { node: "Int32", handle: 5, queue: 5000 });
  const tooLate = await first.raw.call(SET_SUBSCRIPTION_DURABLE, uint32(subscriptionId), uint32(1));
  const methods = await first.raw.session.read(
    SERVER_METHODS.map((nodeId) => ({ nodeId, attributeId: opcua.AttributeIds.Executable })));
  const seen = numbers(await first.raw.notified());
  await first.vanish();
  await count(stranger.raw, 2, 200);
  await stranger.leave();

  say("away", { seen });
  process.stdin.resume();
  await nextLine();

  const next = await visit("operator");
  const reset = (await next.raw.read("Int32")).value.value;
  await count(next.raw, 201, last);
  const other = await visit("engineer");
  const otherUser = (await other.raw.transfer(false, subscriptionId))[0].status;
  await other.leave();
  const result = await takeOver(next.raw, subscriptionId, last);
  const end = await next.raw.ask(new opcua.DeleteSubscriptionsRequest({ subscriptionIds: [subscriptionId] }));
  const again = await refusal(next.raw.call(SET_SUBSCRIPTION_DURABLE, uint32(subscriptionId), uint32(1))
    .then(({ status }) => { if (status !== "Good") throw new Error(status); }));
  await next.leave();
  return {
    ...result, seen, reset, otherUser, again: result.again, deleted: end.results[0].name, unknown: again,
    set: { status: set.status, hours: set.outputs[0] }, tooLate: tooLate.status, strangerSets: strangerSets.status,
    queue: item.queue, executable: methods.map(({ value }) => value.value),
  };
});
