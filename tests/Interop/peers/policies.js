"use strict";
// Connects once by each policy and mode of args.cases and reads the server's state and time. Lists the endpoints too.
const { opcua, run, describe, createClient } = require("./lib/peer");

async function attempt(endpointUrl, { policy, mode }) {
  const client = await createClient({
    securityPolicy: opcua.SecurityPolicy[policy],
    securityMode: opcua.MessageSecurityMode[mode],
    endpointMustExist: true,
  });
  try {
    await client.connect(endpointUrl);
    const session = await client.createSession();
    const [state, time] = await session.read([{ nodeId: "i=2259" }, { nodeId: "i=2258" }]);
    await session.close();
    return {
      policy, mode, ok: true,
      usedPolicy: client.securityPolicy, usedMode: opcua.MessageSecurityMode[client.securityMode],
      state: state.value.value, stateStatus: state.statusCode.name, timeStatus: time.statusCode.name,
    };
  } catch (error) {
    return { policy, mode, ok: false, error: describe(error) };
  } finally {
    await client.disconnect().catch(() => {});
  }
}

run(async ({ endpointUrl, cases }) => {
  const attempts = [];
  for (const one of cases) attempts.push(await attempt(endpointUrl, one));

  const client = await createClient({
    securityPolicy: opcua.SecurityPolicy.None, securityMode: opcua.MessageSecurityMode.None,
  });
  await client.connect(endpointUrl);
  const endpoints = (await client.getEndpoints()).map((endpoint) => ({
    url: endpoint.endpointUrl,
    policy: endpoint.securityPolicyUri.split("#")[1],
    mode: opcua.MessageSecurityMode[endpoint.securityMode],
    tokens: endpoint.userIdentityTokens.map((token) => opcua.UserTokenType[token.tokenType]),
    level: endpoint.securityLevel,
  }));
  const servers = (await client.findServers()).map((server) => ({
    uri: server.applicationUri, type: opcua.ApplicationType[server.applicationType], urls: server.discoveryUrls,
  }));
  await client.disconnect();
  return { attempts, endpoints, servers };
});
