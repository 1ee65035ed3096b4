"use strict";
// Publishes until an operator ends its session: what the held request and the next one are answered.
const { run, say, describe, withSession, namespaceIndex } = require("./lib/peer");
const { Raw } = require("./lib/raw");

const refusal = (promise) => promise.then(() => "Good", (error) => describe(error).status || String(error));

run(() => withSession(async (session) => {
  const raw = new Raw(session, await namespaceIndex(session, "urn:gateway:simulator"));
  const subscription = await raw.subscribe({ requestedPublishingInterval: 1000, requestedMaxKeepAliveCount: 100 });
  await raw.monitor(subscription, { node: "ReadOnly", handle: 1 });
  await raw.notified();
  const held = refusal(raw.publish());
  say("publishing", { session: session.sessionId.value });
  return { held: await held, next: await refusal(raw.read("ReadOnly")) };
}));
