"use strict";
// Sessions of several clients and users in one case.
const { opcua, args, createClient, namespaceIndex } = require("./peer");
const { Raw } = require("./raw");

const users = {
  anonymous: { type: opcua.UserTokenType.Anonymous },
  operator: { type: opcua.UserTokenType.UserName, userName: "operator", password: "correct horse" },
  engineer: { type: opcua.UserTokenType.UserName, userName: "engineer", password: "slide rule" },
  admin: { type: opcua.UserTokenType.UserName, userName: "admin", password: "staple" },
};

/** A client of its own with one session; leave() ends both in order, vanish() pulls the cable. */
async function visit(user = "anonymous", options = {}) {
  const client = await createClient(options);
  await client.connect(args.endpointUrl);
  const session = await client.createSession(users[user]);
  const raw = new Raw(session, await namespaceIndex(session, args.namespaceUri));
  return {
    raw,
    leave: async (deleteSubscriptions = true) => {
      await session.close(deleteSubscriptions).catch(() => {});
      await client.disconnect().catch(() => {});
    },
    vanish: async () => {
      client._secureChannel.forceConnectionBreak();
      await client.disconnect().catch(() => {});
    },
  };
}

module.exports = { visit };
