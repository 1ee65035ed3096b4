"use strict";
// Watches args.items counters (each change adds one) until a line "stop" on stdin and counts what was lost or repeated.
// Keeps on through a loss of the connection; tells "watching", "lost", "restored", and "enough" once each counter has
// brought args.enough values and the channel was renewed args.renewals times.
const { opcua, args, run, say, createClient, namespaceIndex } = require("./lib/peer");

class Counter {
  constructor(nodeId) {
    Object.assign(this, {
      nodeId, received: 0, waiting: 0, lost: 0, repeated: 0, backwards: 0, bad: 0, overflow: 0, last: null, lastTime: 0, statuses: {},
    });
  }

  take(dataValue) {
    this.received++;
    const name = dataValue.statusCode.name;
    this.statuses[name] = (this.statuses[name] || 0) + 1;
    if (name === "BadWaitingForInitialData" && this.last === null) {
      this.waiting++;
      return;
    }
    if (dataValue.statusCode.isNotGood()) {
      this.bad++;
      return;
    }
    if (dataValue.statusCode.value & 0x80) this.overflow++;
    const value = Number(dataValue.value.value);
    if (this.last !== null) {
      const step = Math.round(value - this.last);
      if (step === 0) this.repeated++;
      else if (step < 0) this.backwards++;
      else this.lost += step - 1;
      // The first value moves nothing: a watcher may have it before the gateway watches the upstream.
      this.lastTime = Date.now();
    }
    this.last = value;
  }
}

async function tagIds(session) {
  if (args.nodeIds) return args.nodeIds;
  const ns = await namespaceIndex(session, args.namespaceUri);
  const first = args.firstTag === undefined ? 1000 : args.firstTag;
  return Array.from({ length: args.items }, (_, i) => `ns=${ns};${args.tagPrefix ? `s=${args.tagPrefix}` : "i="}${first + i}`);
}

async function monitor(session, counters, stats) {
  const subscription = await session.createSubscription2({
    requestedPublishingInterval: args.publishingIntervalMs || 200,
    requestedLifetimeCount: 600, requestedMaxKeepAliveCount: 10,
    maxNotificationsPerPublish: args.maxNotificationsPerPublish || 0, publishingEnabled: true, priority: 1,
  });
  subscription.on("raw_notification", (message) => {
    stats.messages++;
    stats.sequenceNumbers.push(message.sequenceNumber);
  });
  subscription.on("terminated", () => say("terminated"));
  const items = await opcua.ClientMonitoredItemGroup.create(
    subscription, counters.map(({ nodeId }) => ({ nodeId, attributeId: opcua.AttributeIds.Value })),
    { samplingInterval: args.samplingIntervalMs === undefined ? 0 : args.samplingIntervalMs,
      queueSize: args.queueSize || 100, discardOldest: true },
    opcua.TimestampsToReturn.Both);
  items.on("changed", (_item, dataValue, index) => counters[index].take(dataValue));
  items.on("err", (message) => say("item-error", { message }));
  await new Promise((resolve) => items.once("initialized", resolve));
  stats.itemStatuses = [...new Set(items.monitoredItems.map((item) => item.statusCode.name))];
  stats.revised = items.monitoredItems[0].result && {
    samplingInterval: items.monitoredItems[0].result.revisedSamplingInterval,
    queueSize: items.monitoredItems[0].result.revisedQueueSize,
  };
  return subscription;
}

function stopped() {
  return new Promise((resolve) => {
    process.stdin.on("data", (text) => String(text).includes("stop") && resolve());
  });
}

function tellEnough(counters, stats) {
  const timer = setInterval(() => {
    const isEnough = counters.every(({ received }) => received >= args.enough) && stats.renewals >= (args.renewals || 0);
    if (!isEnough) return;
    clearInterval(timer);
    say("enough");
  }, 50);
  timer.unref();
}

/** Tells "flowing" each time all counters have moved since the last mark: after the start and after each loss. */
function tellFlow(counters, stats) {
  let mark = Date.now();
  const timer = setInterval(() => {
    if (mark !== null && counters.every((counter) => counter.lastTime > mark)) {
      mark = null;
      say("flowing", { received: counters.reduce((sum, counter) => sum + counter.received, 0) });
    }
    if (stats.bad !== counters.reduce((sum, counter) => sum + counter.bad, 0)) {
      stats.bad = counters.reduce((sum, counter) => sum + counter.bad, 0);
      if (counters.every((counter) => counter.bad > 0) && mark === null) {
        mark = Date.now();
        say("all-bad", { statuses: counters[0].statuses });
      }
    }
  }, 50);
  timer.unref();
  return { remark: () => { mark = Date.now(); } };
}

run(async () => {
  const stats = { messages: 0, sequenceNumbers: [], renewals: 0, losses: 0, restores: 0, bad: 0 };
  const client = await createClient({
    connectionStrategy: { maxRetry: -1, initialDelay: 200, maxDelay: 1000, randomisationFactor: 0 },
    // A token that ends soon ends the channel where a renewal is late.
    ...(args.renewalMs ? { tokenRenewalInterval: args.renewalMs, defaultSecureTokenLifetime: 600000 } : {}),
  });
  client.on("security_token_renewed", () => stats.renewals++);
  client.on("connection_lost", () => { stats.losses++; say("lost"); });
  client.on("connection_reestablished", () => { stats.restores++; say("restored"); });
  client.on("backoff", (count, delay) => say("backoff", { count, delay }));
  await client.connect(args.endpointUrl);
  const session = await client.createSession();
  session.on("session_restored", () => say("session-restored"));
  const counters = (await tagIds(session)).map((nodeId) => new Counter(nodeId));
  const flow = tellFlow(counters, stats);
  client.on("connection_lost", () => flow.remark());
  const subscription = await monitor(session, counters, stats);
  const watchedFrom = Date.now();
  say("watching", { revised: stats.revised });
  if (args.enough) tellEnough(counters, stats);
  await stopped();
  const watchedMs = Date.now() - watchedFrom;
  await subscription.terminate().catch(() => {});
  await session.close().catch(() => {});
  await client.disconnect().catch(() => {});

  const gaps = stats.sequenceNumbers.filter((number, i) => i > 0 && number !== stats.sequenceNumbers[i - 1] + 1
    && number !== stats.sequenceNumbers[i - 1]).length;
  const sum = (name) => counters.reduce((total, counter) => total + counter[name], 0);
  return {
    watchedMs, items: counters.length, silent: counters.filter((counter) => counter.received < 2).length,
    received: sum("received"), fewest: Math.min(...counters.map((counter) => counter.received)),
    lost: sum("lost"), repeated: sum("repeated"), backwards: sum("backwards"), bad: sum("bad"), overflow: sum("overflow"),
    messages: stats.messages, sequenceGaps: gaps, renewals: stats.renewals, losses: stats.losses, restores: stats.restores,
    itemStatuses: stats.itemStatuses, revised: stats.revised, statuses: counters[0].statuses,
    lastStatuses: [...new Set(counters.map((counter) => Object.keys(counter.statuses).join("+")))],
  };
});
