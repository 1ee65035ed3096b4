"use strict";
// Opens a session as each user of args.cases (kind: Anonymous, UserName, Certificate) and tells how far it came.
const { opcua, run, describe, createClient } = require("./lib/peer");
const fs = require("node:fs");
const crypto = require("node:crypto");

function identityOf(one) {
  switch (one.kind) {
    case "UserName":
      return { type: opcua.UserTokenType.UserName, userName: one.userName, password: one.password };
    case "Certificate":
      return {
        type: opcua.UserTokenType.Certificate,
        certificateData: new crypto.X509Certificate(fs.readFileSync(one.certificateFile)).raw,
        privateKey: fs.readFileSync(one.privateKeyFile, "utf8"),
      };
    default:
      return { type: opcua.UserTokenType.Anonymous };
  }
}

async function attempt(endpointUrl, one) {
  const client = await createClient({
    securityPolicy: opcua.SecurityPolicy[one.policy || "Basic256Sha256"],
    securityMode: opcua.MessageSecurityMode[one.mode || "SignAndEncrypt"],
  });
  try {
    await client.connect(endpointUrl);
    const session = await client.createSession(identityOf(one));
    const read = await session.read({ nodeId: "i=2259" });
    let write = null;
    if (one.write) {
      write = (await session.write({
        nodeId: one.write, attributeId: opcua.AttributeIds.Value,
        value: { value: { dataType: "Int32", value: 42 } },
      })).name;
    }
    await session.close();
    return { name: one.name, ok: true, read: read.statusCode.name, write };
  } catch (error) {
    return { name: one.name, ok: false, error: describe(error) };
  } finally {
    await client.disconnect().catch(() => {});
  }
}

run(async ({ endpointUrl, cases }) => {
  const attempts = [];
  for (const one of cases) attempts.push(await attempt(endpointUrl, one));
  return { attempts };
});
