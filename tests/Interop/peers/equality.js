"use strict";
// Each value of the namespace's variables, written and read by node-opcua over UA-TCP, beside what HTTP says of it:
// the resource API and /opcua/read in all encodings; then the other way, written by HTTP as it was read there.
// args.httpUrl: the gateway's HTTP listener. args.isModel: the namespace is that of the test's NodeSet, with a matrix of
// each type, structures and Variants, DataValues and DiagnosticInfos among them, beside models/pumps.xml; else it is the
// plant's, with each type and its array.
const { opcua, args, run, withSession, namespaceIndex } = require("./lib/peer");
const { samplesOf } = require("./lib/samples");
const { bodies, json, same } = require("./lib/uajson");
const { DataType, Variant, VariantArrayType, AttributeIds } = opcua;

const encodings = ["compact", "verbose", "reversible", "nonreversible"];
const text = (variant) => variant.toString().replace(/\s+/g, " ");

async function ask(method, path, body, encoding) {
  const type = encoding ? `application/json; encoding=${encoding}` : "application/json";
  const answer = await fetch(args.httpUrl + path, {
    method, body: JSON.stringify(body), headers: { "Content-Type": type, Accept: type },
  });
  if (!answer.ok) throw new Error(`${method} ${path} ${encoding}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const matrixOf = (dataType, value, dimensions) => new Variant({
  dataType, arrayType: VariantArrayType.Matrix, dimensions, value,
});

/** Each tag with a value, and another one that takes its place before it is written back. */
function tags(ns) {
  const all = [];
  for (const [type, [first, second]] of Object.entries(samplesOf(ns))) {
    const dataType = DataType[type];
    const scalar = (value) => new Variant({ dataType, arrayType: VariantArrayType.Scalar, value });
    const array = (value) => new Variant({ dataType, arrayType: VariantArrayType.Array, value });
    all.push({ name: type, value: scalar(first), other: scalar(second) });
    all.push({ name: type, value: scalar(second), other: scalar(first) });
    all.push({ name: `${type}[]`, value: array([first, second, first]), other: array([]) });
    all.push({ name: `${type}[]`, value: array([]), other: array([second]) });
  }
  for (const value of [NaN, Infinity, -Infinity]) {
    for (const dataType of [DataType.Float, DataType.Double]) {
      const of = (number) => new Variant({ dataType, value: number });
      all.push({ name: DataType[dataType], value: of(value), other: of(1) });
    }
  }
  const matrix = (value, dimensions) => matrixOf(DataType.Double, value, dimensions);
  all.push({ name: "Double[,]", value: matrix([1.5, -2, 3, 4, 5, 1e300], [3, 2]), other: matrix([0], [1, 1]) });
  all.push({ name: "Double[,]", value: matrix([1, 2, 3, 4, 5, 6], [2, 3]), other: matrix([0], [1, 1]) });
  return all;
}

const isText = (encoding) => encoding === "verbose" || encoding === "nonreversible";

/** Its class has no name of its own in the package: it is what a client makes of a structure that it does not know. */
function opaque(encodingId, body) {
  const stream = new opcua.BinaryStream(1000);
  stream.writeUInt8(DataType.ExtensionObject);
  opcua.encodeNodeId(encodingId, stream);
  stream.writeUInt8(1);
  stream.writeByteStream(body);
  stream.length = 0;
  return opcua.decodeVariant(stream).value;
}

/** Structures that only a NodeSet defines: nested with an enumeration, with optional fields, a union; and one that
 * nobody knows. Two of each. */
async function structuresOf(session, ns) {
  const pumps = await namespaceIndex(session, "urn:interop:pumps");
  const make = async (type, fields, body) => {
    const value = await session.constructExtensionObject(opcua.coerceNodeId(`ns=${pumps};i=${type}`), fields);
    bodies.set(value, body);
    return value;
  };
  const state = (speed, mode, name, ...bearings) => make(20, { speed, mode, bearings }, (encoding) => ({
    speed, mode: isText(encoding) ? `${name}_${mode}` : mode, bearings,
  }));
  const limits = (EncodingMask, fields) => make(30, fields, (encoding) => (
    isText(encoding) ? fields : { EncodingMask, ...fields }));
  const reading = (SwitchField, name, value) => make(40, { [name]: value }, (encoding) => ({
    compact: { SwitchField, [name]: value }, verbose: { [name]: value },
    reversible: { SwitchField, Value: value }, nonreversible: value,
  })[encoding]);
  const unknown = (...bytes) => opaque(opcua.coerceNodeId(`ns=${ns};i=4711`), Buffer.from(bytes));
  return [
    [
      await state(2.5, 2, "Auto", { temperature: 60.5, note: "Grüße" }, { temperature: -1, note: "b" }),
      await state(-1e300, 1, "Manual", { temperature: 1, note: "c" }),
    ],
    [await limits(2, { highest: 10, reason: "hot" }), await limits(3, { highest: 9, lowest: 0.5, reason: "x" })],
    [await reading(1, "count", 5), await reading(2, "text", "🌍")],
    [unknown(1, 2, 3), unknown(255)],
  ];
}

/** The same of the test's NodeSet. Any: its DataType allows several types, so that JSON has to name the one. */
async function tagsOfModel(session, ns) {
  const all = [];
  for (const [type, [first, second]] of Object.entries(samplesOf(ns))) {
    all.push({
      name: `${type}[,]`,
      value: matrixOf(DataType[type], [first, second, second, first, first, second], [3, 2]),
      other: matrixOf(DataType[type], [second], [1, 1]),
    });
  }
  const of = (dataType, value, arrayType = VariantArrayType.Scalar) => new Variant({ dataType, arrayType, value });
  const range = (low, high) => new opcua.Range({ low, high });
  // Its class has no name of its own in the package.
  const EUInformation = opcua.makeEUInformation("CEL", "°C", "degree Celsius").constructor;
  const unit = (unitId, name) => new EUInformation({
    namespaceUri: "urn:units", unitId, displayName: opcua.coerceLocalizedText({ locale: "en", text: name }),
    description: opcua.coerceLocalizedText({ locale: "de", text: `${name} 🌡` }),
  });
  for (const [name, one, two] of [
    ["Range", range(-1.5, 100.25), range(1, 2)], ["EUInformation", unit(4408652, "°C"), unit(1, "m")],
  ]) {
    const { ExtensionObject } = DataType;
    all.push({ name, value: of(ExtensionObject, one), other: of(ExtensionObject, two) });
    all.push({
      name: `${name}[]`, value: of(ExtensionObject, [one, two], VariantArrayType.Array),
      other: of(ExtensionObject, [two], VariantArrayType.Array),
    });
    all.push({
      name: `${name}[,]`, value: matrixOf(ExtensionObject, [one, two, two, one], [2, 2]),
      other: matrixOf(ExtensionObject, [two], [1, 1]),
    });
  }
  const words = of(DataType.String, ["a", "b"], VariantArrayType.Array);
  const mixed = [
    of(DataType.Int16, -5), of(DataType.UInt64, [0xffffffff, 0xffffffff]), of(DataType.String, "x"), words,
    of(DataType.ExtensionObject, range(3, 4)), matrixOf(DataType.Byte, Buffer.from([1, 2, 3, 4]), [2, 2]),
  ];
  all.push({ name: "Any", isAny: true, value: of(DataType.Float, 1.5), other: of(DataType.Int32, 7) });
  all.push({ name: "Any", isAny: true, value: of(DataType.ExtensionObject, range(5, 6)), other: words });
  all.push({ name: "Any", isAny: true, value: words, other: of(DataType.Boolean, true) });
  for (const [one, two] of await structuresOf(session, ns)) {
    const { ExtensionObject } = DataType;
    const array = of(ExtensionObject, [one, two], VariantArrayType.Array);
    const any = { name: "Any", isAny: true, isOpaque: one.buffer !== undefined };
    all.push({ ...any, value: of(ExtensionObject, one), other: of(ExtensionObject, two) });
    all.push({ ...any, value: array, other: of(ExtensionObject, one) });
    all.push({ ...any, value: matrixOf(ExtensionObject, [two, one], [2, 1]), other: array });
  }
  const dataValue = (value, name, other) => new opcua.DataValue({
    value, statusCode: opcua.StatusCodes[name], sourceTimestamp: new Date("2024-02-29T12:34:56.789Z"), ...other,
  });
  const diagnosticInfo = (symbolicId, inner) => new opcua.DiagnosticInfo({
    symbolicId, namespaceURI: 0, locale: 2, localizedText: 3, additionalInfo: "Grüße 🌍",
    innerStatusCode: opcua.StatusCodes.BadOutOfRange, innerDiagnosticInfo: inner,
  });
  for (const [dataType, one, two] of [
    [
      DataType.DataValue, dataValue(of(DataType.Double, 1.5), "UncertainInitialValue", { sourcePicoseconds: 50 }),
      dataValue(words, "BadNoData", { serverTimestamp: new Date("1999-12-31T23:59:59.001Z") }),
    ],
    [DataType.DiagnosticInfo, diagnosticInfo(1, diagnosticInfo(4)), diagnosticInfo(0)],
  ]) {
    const array = of(dataType, [one, two], VariantArrayType.Array);
    all.push({ name: "Any", isAny: true, value: of(dataType, one), other: array });
    all.push({ name: "Any", isAny: true, value: array, other: of(dataType, two) });
    all.push({ name: "Any", isAny: true, value: matrixOf(dataType, [two, one], [2, 1]), other: array });
  }
  all.push({
    name: "Any[]", isAny: true, value: of(DataType.Variant, mixed, VariantArrayType.Array),
    other: of(DataType.Variant, [of(DataType.Byte, 1)], VariantArrayType.Array),
  });
  return all;
}

async function check(session, ns, names, { name, value, other, isAny, isOpaque }) {
  const nodeId = `ns=${ns};s=${name}`;
  const attributeId = AttributeIds.Value;
  const faults = [];
  const put = async (variant) => {
    // The package writes what it does not know as null.
    if (isOpaque) return writeByService(json(variant, "compact", names), "compact");
    const status = await session.write({ nodeId, attributeId, value: { value: variant } });
    if (status.name !== "Good") faults.push(`written over UA-TCP: ${status.name}`);
  };
  const writeByService = async (written, encoding) => {
    const { Results } = await ask("POST", "/opcua/write", {
      NodesToWrite: [{ NodeId: nodeId, AttributeId: attributeId, Value: written }],
    }, encoding);
    if (Results[0] && (Results[0].Code || Results[0] > 0))
      faults.push(`written ${encoding}: ${JSON.stringify(Results)}`);
  };
  const get = async () => text((await session.read({ nodeId, attributeId })).value);
  const expect = (what, wanted, found) => {
    if (!same(wanted, found)) faults.push(`${what}: ${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`);
  };

  await put(value);
  const before = await get();
  expect("UA-TCP", text(value), before);
  const [rest] = (await ask("POST", "/api/v1/values/read", { nodes: [nodeId] })).values;
  expect("REST", json(value, "rest", names), rest.value);
  expect("REST, type", DataType[value.dataType], rest.type);
  const read = {};
  for (const encoding of encodings) {
    const [result] = (await ask(
      "POST", "/opcua/read", { NodesToRead: [{ NodeId: nodeId, AttributeId: attributeId }] }, encoding)).Results;
    const { SourceTimestamp, ...plain } = result;
    read[encoding] = plain;
    expect(encoding, json(value, encoding, names), plain);
  }

  await put(other);
  const { UaType, Value, Dimensions } = read.compact;
  const back = isAny ? { UaType, Value, Dimensions } : rest.value;
  const [written] = (await ask("PUT", "/api/v1/values", { values: [{ node: nodeId, value: back }] })).results;
  expect("written by REST", { status: "Good" }, { status: written.status });
  expect("UA-TCP after REST", before, await get());
  for (const encoding of encodings.filter((one) => one !== "nonreversible")) {
    await put(other);
    await writeByService(read[encoding], encoding);
    expect(`UA-TCP after ${encoding}`, before, await get());
  }
  return { name, value: text(value), faults };
}

run(() => withSession(async (session) => {
  const ns = await namespaceIndex(session, args.namespaceUri);
  const names = { uris: await session.readNamespaceArray() };
  const checked = [];
  for (const tag of args.isModel ? await tagsOfModel(session, ns) : tags(ns))
    checked.push(await check(session, ns, names, tag));
  return { checked };
}));
