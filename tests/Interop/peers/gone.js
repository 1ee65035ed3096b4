"use strict";
// Watches a node of an upstream, its value and another attribute, until it is gone and until it is back.
const { opcua, run, say, withSession, namespaceIndex } = require("./lib/peer");
const { Raw } = require("./lib/raw");

run(({ namespaceUri, id }) => withSession(async (session) => {
  const raw = new Raw(session, await namespaceIndex(session, namespaceUri));
  const node = `ns=${raw.ns};${id}`;
  const subscription = await raw.subscribe();
  const created = await raw.monitor(subscription,
    { node, handle: 1 }, { node, handle: 2, attributeId: opcua.AttributeIds.DisplayName });
  const last = {};
  const until = async (done) => {
    while (!done()) for (const one of (await raw.notified()).values) last[one.handle] = one;
  };
  await until(() => last[1]?.status === "Good" && last[2]?.status === "Good");
  say("watching");
  await until(() => last[1].status === "BadNodeIdUnknown" && last[2].status === "BadNodeIdUnknown");
  say("gone");
  await until(() => last[1].status === "Good" && last[2].status === "Good");
  return { created: created.map((one) => one.status), name: last[2].value };
}));
