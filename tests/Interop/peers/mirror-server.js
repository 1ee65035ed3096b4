"use strict";
// node-opcua's server with a model of its own (models/mixer.xml, models/pumps.xml) beside DI, IA and Machinery, and
// instances of all of it. Nothing changes by itself, so that two address spaces can be compared. args: pki, port,
// applicationUri, namespaceUri, name. Tells "ready"; ends by SIGTERM.
const path = require("node:path");
const { opcua, args, say } = require("./lib/peer");
const { DataType, StatusCodes, Variant, VariantArrayType } = opcua;

const model = (name) => path.join(__dirname, "models", name);
const readWrite = { accessLevel: "CurrentRead | CurrentWrite", userAccessLevel: "CurrentRead | CurrentWrite" };

function addMixers(space, own, parent) {
  const mixers = space.getNamespaceIndex("urn:interop:mixers");
  const typeOf = space.findObjectType("MixerType", mixers);
  const [first, second] = ["Mixer1", "Mixer2"].map((browseName) => typeOf.instantiate({
    browseName, nodeId: `s=${browseName}`, organizedBy: parent,
  }));
  for (const mixer of [first, second]) {
    mixer.getMethodByName("Start").bindMethod((inputs, _context, callback) => callback(null, inputs[0].value === 0
      ? { statusCode: StatusCodes.Good, outputArguments: [] }
      : {
        statusCode: StatusCodes.BadInvalidArgument, outputArguments: [],
        inputArgumentResults: [StatusCodes.BadOutOfRange],
      }));
  }
  first.addReference({ referenceType: `ns=${mixers};i=1`, nodeId: second.nodeId });
  first.addReference({ referenceType: `ns=${mixers};i=2`, nodeId: second.nodeId });
  return [first, second];
}

/** Structures with and without namespace indexes inside, and all the ways to carry them. */
function addStructures(space, own, folder, mixer) {
  const types = space.getNamespaceIndex("urn:interop:mixers");
  const pumps = space.getNamespaceIndex("urn:interop:pumps");
  const make = (name, fields, index = types) => space.constructExtensionObject(space.findDataType(name, index), fields);
  const add = (name, dataType, value, more) => own.addVariable({
    componentOf: folder, browseName: name, nodeId: `s=${name}`, dataType, ...readWrite, value, ...more,
  });
  const structure = (name, value, index = types) =>
    add(name, space.findDataType(name, index).nodeId, { dataType: DataType.ExtensionObject, value });
  const link = (tag) => make("Link", {
    tag, target: mixer.nodeId, name: new opcua.QualifiedName({ namespaceIndex: types, name: "named" }),
    far: opcua.coerceExpandedNodeId(mixer.nodeId.toString()), more: [mixer.nodeId, opcua.coerceNodeId("i=85")],
  });
  structure("Link", link("one"));
  structure("Recipe", make("Recipe", { colour: 5, links: [link("a"), link("b")], best: link("c") }));
  structure("Choice", make("Choice", { node: mixer.nodeId }));
  structure("PumpState", make("PumpState", {
    speed: 12.5, mode: 1, bearings: [{ temperature: 40.5, note: "left" }],
  }, pumps), pumps);
  structure("PumpLimits", make("PumpLimits", { highest: 99.5, reason: "rust" }, pumps), pumps);
  structure("PumpReading", make("PumpReading", { text: "full" }, pumps), pumps);
  add("Links", space.findDataType("Link", types).nodeId, new Variant({
    dataType: DataType.ExtensionObject, arrayType: VariantArrayType.Array, value: [link("x"), link("y")],
  }), { valueRank: 1, arrayDimensions: [0] });
  add("Any", "BaseDataType", new Variant({
    dataType: DataType.Variant, arrayType: VariantArrayType.Array,
    value: [new Variant({ dataType: DataType.NodeId, value: mixer.nodeId }),
      new Variant({ dataType: DataType.ExtensionObject, value: link("in") })],
  }), { valueRank: -2 });
  add("Colour", space.findDataType("Colour", types).nodeId, { dataType: DataType.Int32, value: 5 });
  add("Alarms", space.findDataType("Alarms", types).nodeId, { dataType: DataType.UInt16, value: 3 });
  add("Argument", "Argument", { dataType: DataType.ExtensionObject, value: new opcua.Argument({
    name: "a", dataType: space.findDataType("Colour", types).nodeId, valueRank: -1,
  }) });
  add("Read", "ReadValueId", { dataType: DataType.ExtensionObject, value: new opcua.ReadValueId({
    nodeId: mixer.nodeId, attributeId: 13,
    dataEncoding: new opcua.QualifiedName({ namespaceIndex: types, name: "e" }),
  }) });
}

function addValues(own, folder, mixer) {
  const add = (name, dataType, value, more) => own.addVariable({
    componentOf: folder, browseName: name, nodeId: `s=${name}`, dataType, value, ...more,
  });
  add("Matrix", "Int32", new Variant({
    dataType: DataType.Int32, arrayType: VariantArrayType.Matrix, dimensions: [2, 3], value: [1, 2, 3, 4, 5, 6],
  }), { valueRank: 2, arrayDimensions: [2, 3] });
  add("NodeId", "NodeId", { dataType: DataType.NodeId, value: mixer.nodeId });
  add("QualifiedName", "QualifiedName", {
    dataType: DataType.QualifiedName, value: new opcua.QualifiedName({ namespaceIndex: own.index, name: "q" }),
  });
  add("Text", "LocalizedText", {
    dataType: DataType.LocalizedText, value: new opcua.LocalizedText({ locale: "de", text: "Wert" }),
  }, { displayName: new opcua.LocalizedText({ locale: "de", text: "Schild" }),
    description: new opcua.LocalizedText({ locale: "fr", text: "une chose" }) });
  add("Slow", "Double", { dataType: DataType.Double, value: 1 }, { minimumSamplingInterval: 5000 });
  const all = "CurrentRead | CurrentWrite | StatusWrite | TimestampWrite";
  add("Quality", "Double", { dataType: DataType.Double, value: 1 }, { accessLevel: all, userAccessLevel: all });
  add("ReadOnly", "Double", { dataType: DataType.Double, value: 1 }, {
    accessLevel: "CurrentRead | CurrentWrite", userAccessLevel: "CurrentRead",
  });
  const sensor = add("Sensor", "Double", { dataType: DataType.Double, value: 0 });
  sensor.setValueFromSource(
    { dataType: DataType.Double, value: 3.5 }, StatusCodes.UncertainLastUsableValue, new Date("2026-01-02T03:04:05Z"));
  const broken = add("Broken", "Double", { dataType: DataType.Double, value: 0 });
  broken.setValueFromSource(
    { dataType: DataType.Double, value: 0 }, StatusCodes.BadSensorFailure, new Date("2026-01-02T03:04:06Z"));
}

async function main() {
  const manager = new opcua.OPCUACertificateManager({
    rootFolder: args.pki, automaticallyAcceptUnknownCertificate: true, keySize: 2048,
  });
  await manager.initialize();
  const server = new opcua.OPCUAServer({
    host: "127.0.0.1", hostname: "127.0.0.1", port: args.port, resourcePath: "",
    serverCertificateManager: manager,
    serverInfo: { applicationUri: args.applicationUri, productUri: "urn:interop" },
    nodeset_filename: [
      opcua.nodesets.standard, ...(args.otherOrder ? [model("mixer.xml")] : []),
      opcua.nodesets.di, opcua.nodesets.ia, opcua.nodesets.machinery, model("pumps.xml"),
      ...(args.otherOrder ? [] : [model("mixer.xml")]),
    ],
    allowAnonymous: true, disableDiscovery: true,
  });
  await server.initialize();
  const space = server.engine.addressSpace;
  const own = space.registerNamespace(args.namespaceUri);
  const folder = own.addFolder(space.rootFolder.objects, { browseName: args.name, nodeId: "s=Plant" });
  const [mixer] = addMixers(space, own, folder);
  addStructures(space, own, folder, mixer);
  addValues(own, folder, mixer);
  addDevice(space, own);
  await server.start();
  process.on("SIGTERM", () => server.shutdown(0).then(() => process.exit(0), () => process.exit(1)));
  say("ready", { endpointUrl: server.getEndpointUrl() });
}

/** Below the companion models' own folders. */
function addDevice(space, own) {
  const di = space.getNamespaceIndex("http://opcfoundation.org/UA/DI/");
  const machinery = space.getNamespaceIndex("http://opcfoundation.org/UA/Machinery/");
  const pressType = own.addObjectType({
    browseName: "PressType", nodeId: "s=PressType", subtypeOf: space.findObjectType("DeviceType", di),
  });
  const device = pressType.instantiate({
    browseName: `${args.name}Device`, nodeId: "s=Device",
    componentOf: space.rootFolder.objects.getFolderElementByName("DeviceSet", di),
  });
  device.serialNumber.setValueFromSource({ dataType: DataType.String, value: args.name });
  own.addObject({
    browseName: `${args.name}Machine`, nodeId: "s=Machine",
    organizedBy: space.rootFolder.objects.getFolderElementByName("Machines", machinery),
  });
}

main().catch((error) => {
  say("failed", { error: { text: String(error) }, stack: String(error && error.stack) });
  process.exit(1);
});
