"use strict";
// Shared by all peers. A peer is started as `node <script> '<json arguments>'` and talks to the test by lines on
// standard output that start with '@' and hold one JSON object with "event"; the last one is "result" or "failed".
const opcua = require("./opcua");

const args = JSON.parse(process.argv[2] || "{}");

function say(event, more) {
  process.stdout.write("@" + JSON.stringify({ event, ...more }) + "\n");
}

/** Runs the peer: its return value is the result; an error is told with its stack and ends it with 1. */
function run(main) {
  // Far behind the patience of the test, which ends it, too: only for a test that was killed.
  const deadlineMs = 1500000;
  const deadline = setTimeout(
    () => fail(new Error(`the peer had no result after ${deadlineMs} ms`)), deadlineMs);
  deadline.unref();
  process.on("unhandledRejection", fail);
  process.on("uncaughtException", fail);
  main(args).then((result) => finish("result", { result }, 0), fail);
}

function fail(error) {
  finish("failed", { error: describe(error), stack: String(error && error.stack) }, 1);
}

function finish(event, more, code) {
  process.stdout.write("@" + JSON.stringify({ event, ...more }, plain) + "\n", () => process.exit(code));
}

/** What JSON cannot say: 64-bit integers, NaN. */
function plain(_key, value) {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return value;
}

/** The name of the StatusCode in an error of node-opcua, and its text. */
function describe(error) {
  const text = String((error && error.message) || error);
  const code = /\bBad[A-Z]\w+|Bad_[A-Z]\w+/.exec(text + " " + (error && error.response ? error.response.toString() : ""));
  return { status: code ? code[0] : null, text };
}

async function certificateManager() {
  const manager = new opcua.OPCUACertificateManager({
    rootFolder: args.pki, automaticallyAcceptUnknownCertificate: true, keySize: 2048,
  });
  await manager.initialize();
  return manager;
}

const strategy = { maxRetry: 0, initialDelay: 100, maxDelay: 1000 };

/** A client with the test's certificate; options win. */
async function createClient(options) {
  return opcua.OPCUAClient.create({
    applicationName: "interop",
    applicationUri: args.applicationUri,
    certificateFile: args.certificateFile,
    privateKeyFile: args.privateKeyFile,
    clientCertificateManager: (options && options.clientCertificateManager) || await certificateManager(),
    securityMode: opcua.MessageSecurityMode[args.mode || "SignAndEncrypt"],
    securityPolicy: opcua.SecurityPolicy[args.policy || "Basic256Sha256"],
    endpointMustExist: false,
    keepSessionAlive: false,
    requestedSessionTimeout: 60000,
    transportTimeout: 120000,
    connectionStrategy: strategy,
    ...options,
  });
}

/** Connects, opens a session, runs the body, and leaves in order whatever happens. */
async function withSession(body, options, identity) {
  const client = await createClient(options);
  try {
    await client.connect(args.endpointUrl);
    const session = await client.createSession(identity);
    try {
      return await body(session, client);
    } finally {
      await session.close().catch(() => {});
    }
  } finally {
    await client.disconnect().catch(() => {});
  }
}

async function namespaceIndex(session, uri) {
  const namespaces = await session.readNamespaceArray();
  const index = namespaces.indexOf(uri);
  if (index < 0) throw new Error(`namespace ${uri} is not in ${namespaces.join(", ")}`);
  return index;
}

module.exports = { opcua, args, say, run, describe, certificateManager, createClient, withSession, namespaceIndex };
