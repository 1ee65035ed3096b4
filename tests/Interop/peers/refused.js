"use strict";
// Tries to become active args.times times, one after the other and all kept, and tells what each try came to.
const { opcua, run, describe, createClient } = require("./lib/peer");

async function attempt(endpointUrl) {
  const client = await createClient();
  try {
    await client.connect(endpointUrl);
    const session = await client.createSession({ type: opcua.UserTokenType.Anonymous });
    return { client, session, told: { ok: true } };
  } catch (error) {
    return { client, told: { ok: false, error: describe(error) } };
  }
}

run(async ({ endpointUrl, times }) => {
  const attempts = [];
  for (let i = 0; i < times; i++) attempts.push(await attempt(endpointUrl));
  for (const { client, session } of attempts) {
    if (session) await session.close().catch(() => {});
    await client.disconnect().catch(() => {});
  }
  return { attempts: attempts.map(({ told }) => told) };
});
