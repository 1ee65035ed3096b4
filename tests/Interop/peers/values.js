"use strict";
// Reads every scalar and array variable of the namespace, writes other values, reads them back.
const { opcua, run, withSession, namespaceIndex } = require("./lib/peer");
const { samplesOf } = require("./lib/samples");
const { DataType, Variant, VariantArrayType, AttributeIds } = opcua;

const text = (variant) => variant.toString().replace(/\s+/g, " ");

async function roundTrip(session, nodeId, typeName, value, arrayType) {
  const dataType = DataType[typeName];
  const before = await session.read({ nodeId, attributeId: AttributeIds.Value });
  const sent = new Variant({ dataType, arrayType, value });
  const write = await session.write({ nodeId, attributeId: AttributeIds.Value, value: { value: sent } });
  const after = await session.read({ nodeId, attributeId: AttributeIds.Value });
  return {
    nodeId: nodeId.toString(),
    readStatus: before.statusCode.name,
    readType: DataType[before.value.dataType],
    readIsArray: before.value.arrayType === VariantArrayType.Array,
    write: write.name,
    sent: text(sent), received: text(after.value),
    same: text(sent) === text(after.value),
    sourceTimestamp: after.sourceTimestamp ? after.sourceTimestamp.toISOString() : null,
  };
}

run(({ namespaceUri }) => withSession(async (session) => {
  const ns = await namespaceIndex(session, namespaceUri);
  const trips = [];
  for (const [type, [first, second]] of Object.entries(samplesOf(ns))) {
    const scalar = opcua.coerceNodeId(`ns=${ns};s=${type}`);
    trips.push(await roundTrip(session, scalar, type, first, VariantArrayType.Scalar));
    trips.push(await roundTrip(session, scalar, type, second, VariantArrayType.Scalar));
    const array = opcua.coerceNodeId(`ns=${ns};s=${type}[]`);
    trips.push(await roundTrip(session, array, type, [first, second, first], VariantArrayType.Array));
    trips.push(await roundTrip(session, array, type, [], VariantArrayType.Array));
  }

  const int32 = `ns=${ns};s=Int32`;
  const wrongType = await session.write({
    nodeId: int32, attributeId: AttributeIds.Value, value: { value: { dataType: DataType.String, value: "x" } },
  });
  const readOnly = await session.write({
    nodeId: `ns=${ns};s=ReadOnly`, attributeId: AttributeIds.Value,
    value: { value: { dataType: DataType.Int32, value: 1 } },
  });
  const unknown = await session.read({ nodeId: `ns=${ns};s=no such node` });
  await session.write({
    nodeId: `ns=${ns};s=Int32[]`, attributeId: AttributeIds.Value,
    value: { value: new Variant({ dataType: DataType.Int32, arrayType: VariantArrayType.Array, value: [10, 20, 30, 40] }) },
  });
  const range = await session.read({
    nodeId: `ns=${ns};s=Int32[]`, attributeId: AttributeIds.Value, indexRange: new opcua.NumericRange("1:2"),
  });
  const attributes = await session.readAllAttributes(opcua.coerceNodeId(int32));
  return {
    trips, wrongType: wrongType.name, readOnly: readOnly.name, unknown: unknown.statusCode.name,
    range: Array.from(range.value.value || []), rangeStatus: range.statusCode.name,
    attributes: { nodeClass: attributes.nodeClass, dataType: String(attributes.dataType), valueRank: attributes.valueRank },
  };
}));
