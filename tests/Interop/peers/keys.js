"use strict";
// node-opcua's server as a Security Key Service: GetSecurityKeys of the standard's PublishSubscribe object, for the
// group "plant" alone. Keys depend on their token only, so that several of these give the same ones. Tells "ready",
// and each "call" with the token that it gave first; ends by SIGTERM.
// args: pki, port, lifetimeMs, start (UTC milliseconds of token 1), modes (["SignAndEncrypt"]).
const crypto = require("node:crypto");
const { opcua, args, say } = require("./lib/peer");
const { DataType, StatusCodes, VariantArrayType } = opcua;

const KEY_BYTES = 68;
const POLICY = "http://opcfoundation.org/UA/SecurityPolicy#PubSub-Aes256-CTR";

function keyOf(token) {
  const parts = [0, 1, 2].map((part) => crypto.createHash("sha256").update(`${token}/${part}`).digest());
  return Buffer.concat(parts).subarray(0, KEY_BYTES);
}

function getSecurityKeys([group, starting, count], context, callback) {
  if (group.value !== "plant") return callback(null, { statusCode: StatusCodes.BadNotFound });
  const elapsed = Date.now() - args.start;
  const current = Math.floor(elapsed / args.lifetimeMs) + 1;
  const first = starting.value === 0 ? current : starting.value;
  say("call", { token: first, user: context.getUserName() });
  return callback(null, {
    statusCode: StatusCodes.Good,
    outputArguments: [
      { dataType: DataType.String, value: POLICY },
      { dataType: DataType.UInt32, value: first },
      {
        dataType: DataType.ByteString, arrayType: VariantArrayType.Array,
        value: Array.from({ length: Math.max(1, count.value) }, (_, i) => keyOf(first + i)),
      },
      { dataType: DataType.Double, value: args.lifetimeMs - (elapsed % args.lifetimeMs) },
      { dataType: DataType.Double, value: args.lifetimeMs },
    ],
  });
}

async function main() {
  const manager = new opcua.OPCUACertificateManager({
    rootFolder: args.pki, automaticallyAcceptUnknownCertificate: true, keySize: 2048,
  });
  await manager.initialize();
  const server = new opcua.OPCUAServer({
    host: "127.0.0.1",
    hostname: "127.0.0.1",
    port: args.port,
    resourcePath: "",
    serverCertificateManager: manager,
    serverInfo: { applicationUri: `urn:interop:keys:${args.port}`, productUri: "urn:interop" },
    nodeset_filename: [opcua.nodesets.standard],
    securityPolicies: [opcua.SecurityPolicy.None, opcua.SecurityPolicy.Basic256Sha256],
    securityModes: (args.modes || ["SignAndEncrypt"]).map((name) => opcua.MessageSecurityMode[name]),
    allowAnonymous: true,
    userManager: { isValidUser: (name, password) => name === "keys" && password === "secret" },
    // A client asks for endpoints on an open channel, also where every session is encrypted.
    disableDiscovery: false,
  });
  await server.initialize();
  const method = server.engine.addressSpace.findNode("i=15215");
  method.bindMethod(getSecurityKeys);
  await server.start();
  process.on("SIGTERM", () => server.shutdown(0).then(() => process.exit(0), () => process.exit(1)));
  say("ready", { endpointUrl: server.getEndpointUrl() });
}

main().catch((error) => {
  say("failed", { error: error.stack });
  process.exit(1);
});
