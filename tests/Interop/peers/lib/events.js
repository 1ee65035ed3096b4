"use strict";
// A client that watches events of conditions.
const { opcua } = require("./peer");

const operand = (path, typeDefinitionId = "i=2041", attributeId = opcua.AttributeIds.Value) =>
  new opcua.SimpleAttributeOperand({
    typeDefinitionId, attributeId, browsePath: path.map((name) => ({ namespaceIndex: 0, name })),
  });

/**
 * A subscription with one item on the node.
 * @param {string[]} fields BrowsePaths with dots. Each event has them, its ConditionId, and as "type" its EventType.
 * @param {(event: object) => object} more Of each event.
 */
async function watchEvents(session, nodeId, fields, more = () => ({})) {
  const subscription = await session.createSubscription2({
    requestedPublishingInterval: 100, requestedLifetimeCount: 1000, requestedMaxKeepAliveCount: 10,
    maxNotificationsPerPublish: 0, publishingEnabled: true, priority: 0,
  });
  const filter = new opcua.EventFilter({
    selectClauses: [
      ...fields.map((name) => operand(name.split("."))), operand([], "i=2782", opcua.AttributeIds.NodeId),
    ],
  });
  const item = await subscription.monitor(
    { nodeId, attributeId: opcua.AttributeIds.EventNotifier },
    { samplingInterval: 0, queueSize: 100, discardOldest: true, filter },
    opcua.TimestampsToReturn.Neither, opcua.MonitoringMode.Reporting);
  const watched = { subscription, events: [], told: () => {} };
  item.on("changed", (values) => {
    const event = Object.fromEntries(values.map((one, i) => [fields[i] || "ConditionId", one.value]));
    event.type = event.EventType.toString();
    watched.events.push(Object.assign(event, more(event)));
    watched.told();
  });
  watched.until = async (found) => {
    for (;;) {
      const event = watched.events.find(found);
      if (event) return event;
      await new Promise((resolve) => { watched.told = resolve; });
    }
  };
  return watched;
}

module.exports = { watchEvents };
