"use strict";
// args.clients clients, each with a session and a subscription on args.items tags, that nobody helps: what node-opcua does
// by itself brings their data back. Tells "flowing" when each has new values of all its tags: after the start, and after
// each loss with the time from the first client's loss to the last client's data. A line "stop" ends it.
const { opcua, args, run, say, certificateManager, createClient, namespaceIndex } = require("./lib/peer");

class Member {
  constructor() {
    Object.assign(this, { seen: new Set(), losses: 0, terminations: 0, bad: 0 });
  }

  async join(options, first) {
    this.client = await createClient(options);
    this.client.on("connection_lost", () => { this.losses++; this.seen.clear(); lost(); });
    await this.client.connect(args.endpointUrl);
    this.session = await this.client.createSession();
    const ns = await namespaceIndex(this.session, args.namespaceUri);
    const subscription = await this.session.createSubscription2({
      requestedPublishingInterval: 500, requestedLifetimeCount: 600, requestedMaxKeepAliveCount: 10,
      maxNotificationsPerPublish: 0, publishingEnabled: true, priority: 1,
    });
    subscription.on("terminated", () => this.terminations++);
    const nodes = Array.from({ length: args.items }, (_, i) => ({
      nodeId: `ns=${ns};i=${first + i}`, attributeId: opcua.AttributeIds.Value,
    }));
    const items = await opcua.ClientMonitoredItemGroup.create(subscription, nodes,
      { samplingInterval: 0, queueSize: 10, discardOldest: true }, opcua.TimestampsToReturn.Both);
    items.on("changed", (_item, value, i) => {
      if (value.statusCode.isNotGood()) this.bad++;
      else this.seen.add(i);
    });
  }

  get flows() { return this.seen.size === args.items; }
}

const fleet = [];
let lostAt = null;
let flowing = false;

function lost() {
  if (lostAt === null) lostAt = Date.now();
  flowing = false;
}

/** Until all were lost, none is back: a client that has not noticed yet still counts the values of before. */
function look(round) {
  const away = fleet.filter((one) => !one.flows || one.losses < round.losses).length;
  if (away > 0 || flowing) return;
  flowing = true;
  round.losses++;
  say("flowing", { ms: lostAt === null ? 0 : Date.now() - lostAt });
  lostAt = null;
}

run(async () => {
  const options = {
    clientCertificateManager: await certificateManager(), keepSessionAlive: true,
    connectionStrategy: { maxRetry: -1, initialDelay: 200, maxDelay: 2000, randomisationFactor: 0.5 },
  };
  for (let first = 0; first < args.clients; first += 10)
    await Promise.all(Array.from({ length: Math.min(10, args.clients - first) }, () => {
      const member = new Member();
      return member.join(options, 1000).then(() => fleet.push(member));
    }));
  const round = { losses: 0 };
  setInterval(() => look(round), 20).unref();
  await new Promise((resolve) => process.stdin.on("data", (text) => String(text).includes("stop") && resolve()));
  await Promise.all(fleet.map((one) => one.client.disconnect().catch(() => {})));
  return {
    clients: fleet.length, losses: Math.min(...fleet.map((one) => one.losses)),
    mostLosses: Math.max(...fleet.map((one) => one.losses)),
    terminations: fleet.reduce((sum, one) => sum + one.terminations, 0),
    bad: fleet.reduce((sum, one) => sum + one.bad, 0),
  };
});
