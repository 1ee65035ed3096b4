"use strict";
// node-opcua's server with the variables of the gateway's simulated plant under args.namespaceUri: counters i=1000…,
// one writable variable and one array of each scalar type, the methods Add and Echo. Tells "ready"; ends by SIGTERM.
// args.maxConnections and args.capabilities (maxSessions, maxSubscriptions …) lift its own caps for a load test.
// args.delayMs: as a weak controller, it looks at each request only after that time.
// args.structures: the types of models/pumps.xml, and a variable of each.
// args.hostile: nodes whose names and values attack a page that shows them.
// args.levels: a boiler with a writable level for each of the numbers, and an alarm above 80 on each.
// args.httpPort: its values also as JSON over HTTP, by Express.
// args.eventsPerSecond: so many events of its own.
// args.clock: the counters are the time: two such servers have the same values at the same SourceTimestamps.
const path = require("node:path");
const { opcua, args, say } = require("./lib/peer");
const { DataType, StatusCodes, Variant, VariantArrayType } = opcua;

const defaults = {
  Boolean: false, SByte: 0, Byte: 0, Int16: 0, UInt16: 0, Int32: 0, UInt32: 0, Int64: [0, 0], UInt64: [0, 0], Float: 0,
  Double: 0, String: "text", DateTime: new Date(0), Guid: "00000000-0000-0000-0000-000000000000",
  ByteString: Buffer.alloc(2), XmlElement: "<x/>", NodeId: opcua.coerceNodeId("i=1"),
  ExpandedNodeId: opcua.coerceExpandedNodeId("i=1"), StatusCode: StatusCodes.Good,
  QualifiedName: opcua.coerceQualifiedName("name"), LocalizedText: opcua.coerceLocalizedText("text"),
};

function addTags(namespace, folder) {
  const changeMs = args.changeMs || 100;
  const time = () => Math.floor(Date.now() / changeMs);
  let value = args.clock ? time() : args.start || 0;
  const tags = Array.from({ length: args.tags || 100 }, (_, i) => namespace.addVariable({
    componentOf: folder, browseName: `Tag${1000 + i}`, nodeId: `i=${1000 + i}`, dataType: DataType.Double,
    value: { dataType: DataType.Double, value },
  }));
  setInterval(() => {
    if (args.clock && value === time()) return;
    value++;
    const at = args.clock ? new Date(value * changeMs) : undefined;
    for (const tag of tags) tag.setValueFromSource({ dataType: DataType.Double, value }, StatusCodes.Good, at);
  }, args.clock ? changeMs / 10 : changeMs);
}

/** args.writable: { uri, count } of Doubles i=1… in a namespace of their own, as a load test writes. */
function addWritable(server, folder) {
  const namespace = server.engine.addressSpace.registerNamespace(args.writable.uri);
  for (let i = 1; i <= args.writable.count; i++) {
    namespace.addVariable({
      componentOf: folder, browseName: `W${i}`, nodeId: `i=${i}`, dataType: DataType.Double,
      accessLevel: "CurrentRead | CurrentWrite", userAccessLevel: "CurrentRead | CurrentWrite",
      value: { dataType: DataType.Double, value: 0 },
    });
  }
}

function addVariables(namespace, folder) {
  for (const [type, value] of Object.entries(defaults)) {
    const dataType = DataType[type];
    namespace.addVariable({
      componentOf: folder, browseName: type, nodeId: `s=${type}`, dataType,
      accessLevel: "CurrentRead | CurrentWrite", userAccessLevel: "CurrentRead | CurrentWrite",
      value: new Variant({ dataType, arrayType: VariantArrayType.Scalar, value }),
    });
    namespace.addVariable({
      componentOf: folder, browseName: `${type}[]`, nodeId: `s=${type}[]`, dataType, valueRank: 1,
      accessLevel: "CurrentRead | CurrentWrite", userAccessLevel: "CurrentRead | CurrentWrite",
      value: new Variant({ dataType, arrayType: VariantArrayType.Array, value: [value] }),
    });
  }
  namespace.addVariable({
    componentOf: folder, browseName: "ReadOnly", nodeId: "s=ReadOnly", dataType: DataType.Int32,
    accessLevel: "CurrentRead", userAccessLevel: "CurrentRead", value: { dataType: DataType.Int32, value: 7 },
  });
}

function addMethods(namespace, folder) {
  const methods = namespace.addObject({ organizedBy: folder, browseName: "Methods", nodeId: "s=Methods" });
  const add = namespace.addMethod(methods, {
    browseName: "Add", nodeId: "s=Add",
    inputArguments: ["a", "b"].map((name) => ({ name, dataType: DataType.Int32 })),
    outputArguments: [{ name: "sum", dataType: DataType.Int32 }],
  });
  add.bindMethod(([a, b], _context, callback) => callback(null, {
    statusCode: StatusCodes.Good, outputArguments: [{ dataType: DataType.Int32, value: a.value + b.value }],
  }));
  const echo = namespace.addMethod(methods, {
    browseName: "Echo", nodeId: "s=Echo", inputArguments: [{ name: "text", dataType: DataType.String }],
    outputArguments: [{ name: "text", dataType: DataType.String }],
  });
  echo.bindMethod(([text], _context, callback) => callback(null, {
    statusCode: StatusCodes.Good, outputArguments: [{ dataType: DataType.String, value: text.value }],
  }));
  const wait = namespace.addMethod(methods, {
    browseName: "Wait", nodeId: "s=Wait", inputArguments: [{ name: "duration", dataType: DataType.Double }],
    outputArguments: [],
  });
  wait.bindMethod((inputs, _context, callback) =>
    setTimeout(() => callback(null, { statusCode: StatusCodes.Good, outputArguments: [] }), inputs[0].value));
}

/** Structures that only this server defines: each a writable variable named after its type. */
function addStructures(space, namespace, folder) {
  const types = space.getNamespaceIndex("urn:interop:pumps");
  const add = (name, fields) => {
    const type = space.findDataType(name, types);
    namespace.addVariable({
      componentOf: folder, browseName: name, nodeId: `s=${name}`, dataType: type.nodeId,
      accessLevel: "CurrentRead | CurrentWrite", userAccessLevel: "CurrentRead | CurrentWrite",
      value: fields.value !== undefined
        ? { dataType: DataType.Int32, value: fields.value }
        : { dataType: DataType.ExtensionObject, value: space.constructExtensionObject(type, fields) },
    });
  };
  add("PumpMode", { value: 2 });
  add("PumpState", {
    speed: 12.5, mode: 1, bearings: [{ temperature: 40.5, note: "left" }, { temperature: 41, note: "" }],
  });
  add("PumpLimits", { highest: 99.5, reason: "rust" });
  add("PumpReading", { text: "full" });
}

/** Markup, marks that turn the text's direction, control characters, and texts without an end. */
function addHostile(namespace, folder) {
  const name = (text) => new opcua.QualifiedName({ namespaceIndex: namespace.index, name: text });
  const add = (id, text, dataType, value) => namespace.addVariable({
    componentOf: object, browseName: name(text), displayName: text, description: text, nodeId: `s=${id}`, dataType,
    accessLevel: "CurrentRead | CurrentWrite", userAccessLevel: "CurrentRead | CurrentWrite",
    value: { dataType, value },
  });
  const markup = "<img src=x onerror=window.hit=1>";
  const object = namespace.addObject({
    componentOf: folder, browseName: name(markup), displayName: markup, nodeId: "s=Hostile",
  });
  add("<script>window.hit=1</script>", "<script>window.hit=1</script>", DataType.String, markup);
  add("Turned", "valve\u202Eneddih\u202C", DataType.String, "closed\u202Enepo\u202C");
  add("Controls", "bell\u0007 \u001b[31mred", DataType.String, "back\u0008 esc\u001b[2J");
  add("Long", `long ${"n".repeat(2_000)}`, DataType.String, "v".repeat(200_000));
  add("Number", "<b>number</b>", DataType.Double, 42.5);
}

/** ProgressEvents on the Server object, of a hundred lines in turn; their Context counts up. */
function raiseEvents(space) {
  const server = space.rootFolder.objects.server;
  // Each item is a listener. Above ten Node warns, and node-opcua 2.182 fails to print the object of the warning.
  server.setMaxListeners(0);
  const periodMs = 10;
  let number = 0;
  let due = 0;
  const timer = setInterval(() => {
    due += (args.eventsPerSecond * periodMs) / 1000;
    for (; due >= 1; due--, number++) {
      server.raiseEvent("ProgressEventType", {
        sourceName: { dataType: DataType.String, value: `Line ${number % 100}` },
        message: { dataType: DataType.LocalizedText, value: { locale: "en", text: "A simulated event" } },
        severity: { dataType: DataType.UInt16, value: 100 + (number % 800) },
        context: { dataType: DataType.UInt32, value: number },
        progress: { dataType: DataType.UInt16, value: number % 101 },
      });
    }
  }, periodMs);
  process.once("SIGTERM", () => clearInterval(timer));
}

/** Alarms whose source is the boiler, an event source of the Server object. */
function addAlarms(space, namespace, folder) {
  space.installAlarmsAndConditionsService();
  const boiler = namespace.addObject({
    organizedBy: folder, browseName: "Boiler", nodeId: "s=Boiler", eventSourceOf: space.rootFolder.objects.server,
    eventNotifier: 1,
  });
  args.levels.forEach((value, i) => {
    const level = namespace.addVariable({
      componentOf: boiler, browseName: `Level${i}`, nodeId: `s=Level${i}`, dataType: DataType.Double,
      accessLevel: "CurrentRead | CurrentWrite", userAccessLevel: "CurrentRead | CurrentWrite",
      eventSourceOf: boiler, value: { dataType: DataType.Double, value: 0 },
    });
    namespace.instantiateExclusiveLimitAlarm("ExclusiveLimitAlarmType", {
      browseName: `Alarm${i}`, nodeId: `s=Alarm${i}`, componentOf: boiler, conditionSource: boiler, inputNode: level,
      highHighLimit: 1000, highLimit: 80, lowLimit: -100, lowLowLimit: -1000,
    });
    if (value) level.setValueFromSource({ dataType: DataType.Double, value });
  });
}

async function main() {
  const manager = new opcua.OPCUACertificateManager({
    rootFolder: args.pki, automaticallyAcceptUnknownCertificate: args.autoTrust !== false, keySize: 2048,
  });
  await manager.initialize();
  const server = new opcua.OPCUAServer({
    host: "127.0.0.1",
    hostname: "127.0.0.1",
    port: args.port,
    resourcePath: "",
    serverCertificateManager: manager,
    serverInfo: { applicationUri: args.applicationUri || "urn:interop:server", productUri: "urn:interop" },
    nodeset_filename: [
      opcua.nodesets.standard, ...(args.structures ? [path.join(__dirname, "models", "pumps.xml")] : []),
    ],
    securityPolicies: ["None", "Basic256Sha256", "Aes128_Sha256_RsaOaep", "Aes256_Sha256_RsaPss"]
      .map((name) => opcua.SecurityPolicy[name]),
    securityModes: ["None", "Sign", "SignAndEncrypt"].map((name) => opcua.MessageSecurityMode[name]),
    allowAnonymous: true,
    userManager: { isValidUser: (name, password) => name === "operator" && password === "secret" },
    disableDiscovery: true,
    maxConnectionsPerEndpoint: args.maxConnections || 200,
    serverCapabilities: { maxSessions: 100, ...args.capabilities },
  });
  await server.initialize();
  if (args.delayMs) {
    const answer = server.on_request.bind(server);
    server.on_request = (message, channel) => setTimeout(answer, args.delayMs, message, channel);
  }
  for (const uri of args.namespacesBefore || []) server.engine.addressSpace.registerNamespace(uri);
  const namespace = server.engine.addressSpace.registerNamespace(args.namespaceUri);
  const folder = namespace.addFolder(server.engine.addressSpace.rootFolder.objects, {
    browseName: args.folder || "Machine", nodeId: "s=Machine",
  });
  addTags(namespace, folder);
  addVariables(namespace, folder);
  addMethods(namespace, folder);
  if (args.structures) addStructures(server.engine.addressSpace, namespace, folder);
  if (args.hostile) addHostile(namespace, folder);
  if (args.writable) addWritable(server, folder);
  if (args.levels) addAlarms(server.engine.addressSpace, namespace, folder);
  if (args.eventsPerSecond) raiseEvents(server.engine.addressSpace);
  await server.start();
  if (args.httpPort) await require("./lib/rest").serve(server.engine.addressSpace, args.httpPort);
  server.on("create_session", () => say("session", { count: server.engine.currentSessionCount }));
  process.on("SIGTERM", () => server.shutdown(0).then(() => process.exit(0), () => process.exit(1)));
  say("ready", { endpointUrl: server.getEndpointUrl(), namespace: namespace.index });
}

main().catch((error) => {
  say("failed", { error: { text: String(error) }, stack: String(error && error.stack) });
  process.exit(1);
});
