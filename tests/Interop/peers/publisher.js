"use strict";
// Publishes what changes of a server's counters to a broker: what one would write with node-opcua and mqtt.js. Messages
// are those that the gateway writes as json: one writer for each args.fields tags, a delta frame for each interval of
// args.intervalMs in which a tag of it has changed. A tag that changes twice in an interval is in two messages. Tells
// "ready" when all items are there.
const fs = require("fs");
const { randomUUID } = require("crypto");
const mqtt = require("mqtt");
const { opcua, args, say, createClient, namespaceIndex } = require("./lib/peer");

class Writer {
  constructor(number, broker) {
    Object.assign(this, { number, broker, sequence: 0, rounds: [] });
    this.topic = `${args.topic}group/w${number}`;
  }

  take(name, dataValue) {
    let round = 0;
    while (this.rounds[round] && name in this.rounds[round]) round++;
    (this.rounds[round] = this.rounds[round] || {})[name] = {
      Value: dataValue.value.value, SourceTimestamp: dataValue.sourceTimestamp,
    };
  }

  publish() {
    for (const payload of this.rounds) {
      this.broker.publish(this.topic, JSON.stringify({
        MessageId: randomUUID(), MessageType: "ua-data", PublisherId: args.publisherId, WriterGroupName: "group",
        Messages: {
          DataSetWriterId: this.number + 1, DataSetWriterName: `w${this.number}`, SequenceNumber: this.sequence++,
          MetaDataVersion: { MajorVersion: 1, MinorVersion: 1 }, Timestamp: new Date(), MessageType: "ua-deltaframe",
          Payload: payload,
        },
      }), { qos: 1 });
    }
    this.rounds = [];
  }
}

async function main() {
  const broker = await mqtt.connectAsync(args.broker, { protocolVersion: 5, clientId: "publisher" });
  const client = await createClient({ keepSessionAlive: true });
  await client.connect(args.endpointUrl);
  const session = await client.createSession();
  const nodes = JSON.parse(fs.readFileSync(args.nodesFile, "utf8"));
  const index = await namespaceIndex(session, /^nsu=([^;]*);/.exec(nodes[0])[1]);
  const subscription = await session.createSubscription2({
    requestedPublishingInterval: args.intervalMs, requestedLifetimeCount: 60000, requestedMaxKeepAliveCount: 1000,
    maxNotificationsPerPublish: 0, publishingEnabled: true, priority: 1,
  });
  const writers = [];
  for (let first = 0; first < nodes.length; first += args.fields) {
    const writer = new Writer(writers.length, broker);
    writers.push(writer);
    const ids = nodes.slice(first, first + args.fields).map((id) => id.replace(/^nsu=[^;]*/, `ns=${index}`));
    const names = ids.map((_id, i) => `Tag${first + i}`);
    const items = await opcua.ClientMonitoredItemGroup.create(
      subscription, ids.map((nodeId) => ({ nodeId, attributeId: opcua.AttributeIds.Value })),
      { samplingInterval: 0, queueSize: 100, discardOldest: true }, opcua.TimestampsToReturn.Source);
    items.on("changed", (_item, dataValue, i) => writer.take(names[i], dataValue));
  }
  setInterval(() => writers.forEach((writer) => writer.publish()), args.intervalMs);
  say("ready");
}

main().catch((error) => {
  say("failed", { error: String(error) });
  process.exit(1);
});
