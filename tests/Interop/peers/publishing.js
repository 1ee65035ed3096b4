"use strict";
// The Subscription service set, one Publish request at a time.
const { opcua } = require("./lib/peer");
const { runCases, until, refusal, names, told } = require("./lib/raw");
const { DataType } = opcua;

const SUBSCRIPTIONS = "i=2290";
const FOREVER = { requestedPublishingInterval: 1000, requestedMaxKeepAliveCount: 100 };

/** It has nothing to say without a change. */
const QUIET = { requestedMaxKeepAliveCount: 100 };

const diagnosticsOf = async (raw, { subscriptionId }) =>
  (await raw.read(SUBSCRIPTIONS)).value.value.find((one) => one.subscriptionId === subscriptionId);

/** Writes, and waits until each subscription has found no Publish request for it. */
async function writeBehindTheLast(raw, subscriptions, ...values) {
  const lateOf = async (one) => (await diagnosticsOf(raw, one)).latePublishRequestCount;
  const before = [];
  for (const one of subscriptions) before.push(await lateOf(one));
  await raw.write("Int32", DataType.Int32, ...values);
  for (const [i, one] of subscriptions.entries()) await until(async () => await lateOf(one) > before[i]);
}

const setMode = async (raw, publishingEnabled, ...subscriptionIds) =>
  names((await raw.ask(new opcua.SetPublishingModeRequest({ publishingEnabled, subscriptionIds }))).results);

/** A subscription whose one item has been reported and has that many new values. */
async function queued(raw, node, count, options) {
  await raw.write(node, DataType.Int32, 0);
  const subscription = await raw.subscribe(options);
  await raw.monitor(subscription, { node, queue: 20 });
  while ((await raw.notified()).subscriptionId !== subscription.subscriptionId);
  await raw.write(node, DataType.Int32, ...Array.from({ length: count }, (_, i) => i + 1));
  return subscription;
}

const valuesOf = (message) => message.values.map((one) => one.value);

runCases({
  async modify(raw) {
    const subscription = await queued(raw, "Int32", 5);
    const modified = await raw.ask(new opcua.ModifySubscriptionRequest({
      subscriptionId: subscription.subscriptionId, requestedPublishingInterval: 100, requestedLifetimeCount: 2,
      requestedMaxKeepAliveCount: 700, maxNotificationsPerPublish: 3, priority: 5,
    }));
    const sizes = [(await raw.notified()).values.length, (await raw.notified()).values.length];
    const unknown = await refusal(raw.ask(new opcua.ModifySubscriptionRequest({ subscriptionId: 4000000000 })));
    return {
      interval: modified.revisedPublishingInterval, keepAlive: modified.revisedMaxKeepAliveCount,
      lifetime: modified.revisedLifetimeCount, sizes, unknown,
    };
  },

  async publishingMode(raw) {
    const { subscriptionId } = await queued(raw, "Int32", 0);
    const disabled = await setMode(raw, false, subscriptionId, 4000000000);
    await raw.write("Int32", DataType.Int32, 41, 42);
    const silent = await raw.drain();
    await setMode(raw, true, subscriptionId);
    return { disabled, silent, enabled: valuesOf(await raw.notified()), nothing: await refusal(setMode(raw, true)) };
  },

  async priorities(raw) {
    const low = await queued(raw, "Int32", 0, { ...QUIET, priority: 1 });
    const high = await queued(raw, "Int32", 0, { ...QUIET, priority: 200 });
    await writeBehindTheLast(raw, [low, high], 1);
    const order = [(await raw.notified()).subscriptionId, (await raw.notified()).subscriptionId];
    return { order: order.map((id) => (id === high.subscriptionId ? "high" : id === low.subscriptionId ? "low" : id)) };
  },

  async equals(raw) {
    const options = { ...QUIET, maxNotificationsPerPublish: 1 };
    const first = await queued(raw, "Int32", 0, options);
    const second = await queued(raw, "Int32", 0, options);
    await writeBehindTheLast(raw, [first, second], 1, 2, 3);
    const order = [];
    for (let i = 0; i < 6; i++) order.push((await raw.notified()).subscriptionId === first.subscriptionId ? "a" : "b");
    return { order: order.join("") };
  },

  async moreNotifications(raw) {
    await queued(raw, "Int32", 5, { maxNotificationsPerPublish: 2, requestedPublishingInterval: 500 });
    const messages = [await raw.notified(), await raw.publish(), await raw.publish()];
    return { messages: messages.map((message) => ({ values: valuesOf(message), more: message.more })) };
  },

  async republish(raw) {
    const subscription = await queued(raw, "Int32", 3);
    const { subscriptionId } = subscription;
    const sent = await raw.notified();
    const again = await raw.republish(subscription, sent.sequenceNumber);
    const acknowledged = await raw.publish({ subscriptionId, sequenceNumber: sent.sequenceNumber });
    return {
      sent: told(sent.values), available: sent.available, again: told(again.values),
      sameNumber: again.sequenceNumber === sent.sequenceNumber,
      acknowledged: acknowledged.results, left: acknowledged.available,
      afterwards: await refusal(raw.republish(subscription, sent.sequenceNumber)),
      unknownSubscription: await refusal(raw.republish({ subscriptionId: 4000000000 }, 1)),
    };
  },

  async acknowledgements(raw) {
    const { subscriptionId } = await queued(raw, "Int32", 1);
    const { sequenceNumber } = await raw.notified();
    const { results } = await raw.publish({ subscriptionId, sequenceNumber }, { subscriptionId, sequenceNumber },
      { subscriptionId, sequenceNumber: 999 }, { subscriptionId: 4000000000, sequenceNumber: 1 });
    return { results };
  },

  async tooManyPublishRequests(raw) {
    const { subscriptionId } = await raw.subscribe(FOREVER);
    await raw.publish();
    const ended = [];
    for (let i = 0; i < 12; i++)
      refusal(raw.publish()).then((status) => ended.push(`${i} ${status}`));
    await until(() => ended.length >= 2);
    const refused = [...ended];
    await raw.ask(new opcua.DeleteSubscriptionsRequest({ subscriptionIds: [subscriptionId] }));
    await until(() => ended.length === 12);
    return { refused, rest: ended.slice(refused.length) };
  },

  async noSubscription(raw) {
    const never = await refusal(raw.publish());
    const { subscriptionId } = await raw.subscribe(FOREVER);
    const deleted = await raw.ask(new opcua.DeleteSubscriptionsRequest({ subscriptionIds: [subscriptionId, subscriptionId] }));
    return { never, deleted: names(deleted.results), afterwards: await refusal(raw.publish()) };
  },

  async expiry(raw) {
    // Its first Publish request is there before it: half a second would be short for one that comes behind.
    const other = await raw.subscribe(FOREVER);
    await raw.publish();
    const first = raw.publish();
    const brief = await raw.subscribe({ requestedLifetimeCount: 3, requestedMaxKeepAliveCount: 1 });
    const lives = await first;
    await until(async () => !await diagnosticsOf(raw, brief));
    const ended = await raw.publish();
    await raw.ask(new opcua.DeleteSubscriptionsRequest({ subscriptionIds: [other.subscriptionId] }));
    return {
      lived: lives.keepAlive && lives.subscriptionId === brief.subscriptionId, ended: ended.statusChange,
      own: ended.subscriptionId === brief.subscriptionId, afterwards: await refusal(raw.publish()),
    };
  },

  async keepAlives(raw) {
    const subscription = await raw.subscribe();
    const messages = [await raw.publish(), await raw.publish()];
    await raw.monitor(subscription, { node: "Int32" });
    messages.push(await raw.notified(), await raw.publish(), await raw.publish());
    return { messages: messages.map((one) => `${one.keepAlive ? "keep-alive" : "data"} ${one.sequenceNumber}`) };
  },
});
