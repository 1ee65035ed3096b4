"use strict";
// The MonitoredItem service set on variables that only this script writes. While no Publish request waits nothing is
// sent, so that the next message shows all that the queues held.
const { opcua } = require("./lib/peer");
const { runCases, refusal, names, told } = require("./lib/raw");
const { AttributeIds, DataChangeFilter, DataChangeTrigger, DataType, DeadbandType, MonitoringMode } = opcua;

const valuesOf = (values, handle = 1) => values.filter((one) => one.handle === handle).map((one) => one.value);

const filterOf = (deadbandType, deadbandValue, trigger = DataChangeTrigger.StatusValue) =>
  new DataChangeFilter({ trigger, deadbandType, deadbandValue });

/** Ten values into a queue of that size: what is left of them, with the overflow bits. */
async function overflow(raw, queue, discardOldest) {
  // A cycle far longer than the Write, so that a busy machine does not sweep in the middle of it.
  const subscription = await raw.subscribe({ requestedPublishingInterval: 500 });
  const [item] = await raw.monitor(subscription, { node: "Int32", queue, discardOldest });
  await raw.drain();
  await raw.write("Int32", DataType.Int32, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  const { values } = await raw.notified();
  await raw.write("Int32", DataType.Int32, 0);
  return { revised: item.queue, values: told(values) };
}

runCases({
  async modify(raw) {
    const subscription = await raw.subscribe();
    const [item] = await raw.monitor(subscription, { node: "Byte", handle: 1, queue: 5 });
    const first = await raw.drain();
    await raw.write("Byte", DataType.Byte, 1, 2, 3, 4);
    const modified = await raw.modify(
      subscription, { itemId: item.itemId, handle: 7, queue: 2 }, { itemId: 4000000000 });
    const left = await raw.notified();
    const [slower] = await raw.modify(subscription, { itemId: item.itemId, handle: 8, queue: 20, sampling: 1000 });
    await raw.write("Byte", DataType.Byte, 5, 6, 7, 8);
    const later = await raw.notified();
    const unknownSubscription = await refusal(raw.modify({ subscriptionId: 4000000000 }, item));
    const nothing = await refusal(raw.modify(subscription));
    return { first: told(first), modified, left: told(left.values), slower, later: told(later.values), unknownSubscription, nothing };
  },

  async modes(raw) {
    const subscription = await raw.subscribe();
    const [item] = await raw.monitor(subscription, { node: "SByte" });
    await raw.drain();
    const sampling = await raw.setMode(subscription, MonitoringMode.Sampling, item, { itemId: 4000000000 });
    await raw.write("SByte", DataType.SByte, 1, 2);
    const whileSampling = await raw.drain();
    await raw.setMode(subscription, MonitoringMode.Reporting, item);
    const reporting = valuesOf((await raw.notified()).values);
    await raw.setMode(subscription, MonitoringMode.Sampling, item);
    await raw.write("SByte", DataType.SByte, 3, 4);
    await raw.setMode(subscription, MonitoringMode.Disabled, item);
    await raw.write("SByte", DataType.SByte, 5);
    const whileDisabled = await raw.drain();
    await raw.setMode(subscription, MonitoringMode.Reporting, item);
    const enabledAgain = valuesOf((await raw.notified()).values);
    const [disabled] = await raw.monitor(subscription, { node: "SByte", handle: 2, mode: MonitoringMode.Disabled });
    const bornDisabled = await raw.drain();
    const unknownSubscription = await refusal(raw.setMode({ subscriptionId: 4000000000 }, MonitoringMode.Disabled, item));
    return {
      sampling, whileSampling, reporting, whileDisabled, enabledAgain, disabled: disabled.status, bornDisabled,
      unknownSubscription,
    };
  },

  async triggering(raw) {
    const subscription = await raw.subscribe();
    const [report, sampled] = await raw.monitor(subscription,
      { node: "Int16", handle: 1 }, { node: "UInt16", handle: 2, mode: MonitoringMode.Sampling });
    await raw.drain();
    const link = (linksToAdd, linksToRemove, triggeringItemId = report.itemId) => raw.ask(
      new opcua.SetTriggeringRequest({ subscriptionId: subscription.subscriptionId, triggeringItemId, linksToAdd, linksToRemove }));
    const added = await link([sampled.itemId, 4000000000], []);
    await raw.write("UInt16", DataType.UInt16, 1, 2);
    const untriggered = await raw.drain();
    await raw.write("Int16", DataType.Int16, 1);
    const triggered = await raw.drain();
    const removed = await link([], [sampled.itemId, 4000000000]);
    await raw.write("UInt16", DataType.UInt16, 3);
    await raw.write("Int16", DataType.Int16, 2);
    const unlinked = await raw.drain();
    return {
      added: names(added.addResults), removed: names(removed.removeResults), untriggered, triggered: told(triggered), unlinked: told(unlinked),
      unknown: await refusal(link([sampled.itemId], [], 4000000000)), nothing: await refusal(link([], [])),
    };
  },

  async absoluteDeadband(raw) {
    const subscription = await raw.subscribe();
    const filter = filterOf(DeadbandType.Absolute, 10);
    await raw.write("Double", DataType.Double, 0);
    await raw.write("Double[]", DataType.Double, [0, 0, 0]);
    const created = await raw.monitor(subscription,
      { node: "Double", handle: 1, filter }, { node: "Double[]", handle: 2, filter },
      { node: "String", handle: 3, filter }, { node: "Double", handle: 4, filter: filterOf(DeadbandType.Absolute, -1) },
      { node: "Double", handle: 5, filter, attributeId: AttributeIds.DisplayName });
    await raw.drain();
    await raw.write("Double", DataType.Double, 5, 10, 11, 20, 22);
    await raw.write("Double[]", DataType.Double, [1, 9, 0], [1, 11, 0], [5, 11, 5]);
    const values = await raw.drain();
    return { statuses: created.map((one) => one.status), scalar: valuesOf(values, 1), array: valuesOf(values, 2) };
  },

  async percentDeadband(raw) {
    const node = "Plant/Line1/Filler/SpeedSetpoint";
    const { high } = (await raw.read(`${node}/EURange`)).value.value;
    await raw.write(node, DataType.Double, 0);
    const subscription = await raw.subscribe();
    const filter = filterOf(DeadbandType.Percent, 10);
    const created = await raw.monitor(subscription, { node, handle: 1, filter },
      { node: "Double", handle: 2, filter }, { node, handle: 3, filter: filterOf(DeadbandType.Percent, 101) });
    await raw.drain();
    await raw.write(node, DataType.Double, ...[9, 11, 20, 22].map((percent) => high * percent / 100));
    const values = await raw.drain();
    return {
      statuses: created.map((one) => one.status),
      percents: valuesOf(values).map((value) => Math.round(100 * value / high)),
    };
  },

  async triggers(raw) {
    const subscription = await raw.subscribe();
    await raw.write("UInt32", DataType.UInt32, 1);
    await raw.monitor(subscription, ...["Status", "StatusValue", "StatusValueTimestamp"].map((name, i) =>
      ({ node: "UInt32", handle: i, filter: filterOf(DeadbandType.None, 0, DataChangeTrigger[name]) })));
    await raw.drain();
    for (const value of [1, 1, 2]) await raw.write("UInt32", DataType.UInt32, value);
    const values = await raw.drain();
    return { status: valuesOf(values, 0), value: valuesOf(values, 1), timestamp: valuesOf(values, 2) };
  },

  queueOfOne: (raw) => overflow(raw, 1, true),
  queueOfOneKeepingOldest: (raw) => overflow(raw, 1, false),
  queueOfFive: (raw) => overflow(raw, 5, true),
  queueOfFiveKeepingOldest: (raw) => overflow(raw, 5, false),

  async sampling(raw) {
    const subscription = await raw.subscribe({ requestedPublishingInterval: 400 });
    const created = await raw.monitor(subscription,
      { node: "Float", handle: 1, sampling: 0, queue: 20 }, { node: "Float", handle: 2, sampling: -1, queue: 20 });
    await raw.drain();
    await raw.write("Float", DataType.Float, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    const values = await raw.drain();
    return {
      revised: created.map((one) => one.sampling),
      everyChange: valuesOf(values, 1), sampled: valuesOf(values, 2),
    };
  },

  async indexRange(raw) {
    const subscription = await raw.subscribe();
    await raw.write("Int32[]", DataType.Int32, [10, 11, 12, 13]);
    const created = await raw.monitor(subscription,
      { node: "Int32[]", handle: 1, range: "1:2" }, { node: "Int32[]", handle: 2, range: "7:9" });
    const first = await raw.drain();
    await raw.write("Int32[]", DataType.Int32, [99, 11, 12, 13], [99, 11, 77, 13]);
    const changed = await raw.notified();
    return { statuses: created.map((one) => one.status), first: told(first), changed: told(changed.values) };
  },

  async attributes(raw) {
    const subscription = await raw.subscribe();
    const created = await raw.monitor(subscription,
      { node: "Int32", handle: 1, attributeId: AttributeIds.DisplayName },
      { node: "Int32", handle: 2, attributeId: AttributeIds.AccessLevel },
      { node: "i=2253", handle: 3, attributeId: AttributeIds.BrowseName },
      { node: "i=2253", handle: 4, attributeId: AttributeIds.Value },
      { node: "NoSuchNode", handle: 5 });
    return { statuses: created.map((one) => one.status), values: told(await raw.drain()) };
  },

  async standardObject(raw) {
    const subscription = await raw.subscribe();
    await raw.monitor(subscription, { node: "i=2258", handle: 1, sampling: 100 });
    // A time is told by whole seconds, and changes come sooner.
    const seen = new Set();
    while (seen.size < 3) seen.add(valuesOf((await raw.notified()).values).at(-1));
    return { distinct: seen.size };
  },
});
