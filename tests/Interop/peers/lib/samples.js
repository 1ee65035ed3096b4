"use strict";
// Values of each built-in scalar type.
const { opcua } = require("./peer");
const { StatusCodes } = opcua;

const guid = (digit) => `${String(digit).repeat(8)}-0000-4000-8000-${String(digit).repeat(12)}`;

/** Two values of each built-in scalar type, at the edges where there are edges. */
const samplesOf = (ns) => ({
  Boolean: [true, false],
  SByte: [-128, 127],
  Byte: [255, 0],
  Int16: [-32768, 32767],
  UInt16: [65535, 1],
  Int32: [-2147483648, 2147483647],
  UInt32: [4294967295, 1],
  Int64: [[0x80000000, 0], [0x7fffffff, 0xffffffff]],
  UInt64: [[0xffffffff, 0xffffffff], [0, 1]],
  Float: [1.5, -0.25],
  Double: [Math.PI, -1e300],
  String: ["Grüße, 世界 🌍", ""],
  DateTime: [new Date("2024-02-29T12:34:56.789Z"), new Date("1999-12-31T23:59:59.001Z")],
  Guid: [guid(1), guid(2)],
  ByteString: [Buffer.from([0, 1, 254, 255]), Buffer.alloc(300, 7)],
  XmlElement: ["<a b=\"1\">x</a>", "<c/>"],
  NodeId: [opcua.coerceNodeId(`ns=${ns};s=Grüße`), opcua.coerceNodeId("ns=0;i=70000")],
  ExpandedNodeId: [opcua.coerceExpandedNodeId(`ns=${ns};i=5`), opcua.coerceExpandedNodeId("ns=0;i=85")],
  StatusCode: [StatusCodes.BadNodeIdUnknown, StatusCodes.Good],
  QualifiedName: [opcua.coerceQualifiedName(`${ns}:Motor`), opcua.coerceQualifiedName("0:Types")],
  LocalizedText: [
    opcua.coerceLocalizedText({ locale: "de", text: "Größe" }),
    opcua.coerceLocalizedText({ locale: "en", text: "Size" }),
  ],
});

module.exports = { samplesOf };
