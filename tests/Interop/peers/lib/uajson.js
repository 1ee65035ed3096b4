"use strict";
// How a value has to stand in JSON, by Part 6 §5.4 and by the resource API's page: written from the standard, not from
// the gateway's code.
const { opcua } = require("./peer");
const { DataType, VariantArrayType } = opcua;

const exact = 1n << 53n;

function int64([high, low], isSigned, encoding) {
  const value = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  const number = isSigned ? BigInt.asIntN(64, value) : value;
  return encoding === "rest" && number <= exact && number >= -exact ? Number(number) : number.toString();
}

function number(value) {
  return Number.isNaN(value) ? "NaN" : Number.isFinite(value) ? value : value > 0 ? "Infinity" : "-Infinity";
}

const isNew = (encoding) => encoding === "rest" || encoding === "compact" || encoding === "verbose";

const identifierTypes = { NUMERIC: 0, STRING: 1, GUID: 2, BYTESTRING: 3 };
const identifierPrefixes = ["i", "s", "g", "b"];

function nodeId(id, encoding, { uris }) {
  const type = typeof id.identifierType === "string"
    ? identifierTypes[id.identifierType] : [undefined, 0, 1, 2, 3][id.identifierType];
  if (isNew(encoding)) {
    const local = `${identifierPrefixes[type]}=${id.value}`;
    return id.namespace === 0 ? local : `nsu=${uris[id.namespace]};${local}`;
  }
  return {
    ...(type === 0 ? {} : { IdType: type }), Id: id.value,
    ...(id.namespace === 0 ? {} : { Namespace: encoding === "nonreversible" ? uris[id.namespace] : id.namespace }),
  };
}

function statusCode(status, encoding) {
  if (encoding === "reversible") return status.value;
  if (status.value === 0) return {};
  return encoding === "compact" ? { Code: status.value } : { Code: status.value, Symbol: status.name };
}

function qualifiedName({ namespaceIndex, name }, encoding, { uris }) {
  const uri = uris[namespaceIndex];
  if (isNew(encoding)) return namespaceIndex === 0 ? name : `nsu=${uri};${name}`;
  return { Name: name, ...(namespaceIndex === 0 ? {} : { Uri: encoding === "nonreversible" ? uri : namespaceIndex }) };
}

/** The resource API names the type of each Variant within a value. */
const within = (encoding) => (encoding === "rest" ? "verbose" : encoding);

function scalar(type, value, encoding, names) {
  switch (type) {
    case DataType.Int64: return int64(value, true, encoding);
    case DataType.UInt64: return int64(value, false, encoding);
    case DataType.Float: return number(Math.fround(value));
    case DataType.Double: return number(value);
    case DataType.DateTime: return value;
    case DataType.ByteString: return value.toString("base64");
    case DataType.NodeId: case DataType.ExpandedNodeId: return nodeId(value, encoding, names);
    case DataType.StatusCode: return statusCode(value, encoding);
    case DataType.QualifiedName: return qualifiedName(value, encoding, names);
    case DataType.LocalizedText:
      return encoding === "nonreversible" ? value.text : { Locale: value.locale, Text: value.text };
    case DataType.Variant: return variantJson(value, within(encoding), names);
    case DataType.ExtensionObject: return structure(value, encoding, names);
    case DataType.DataValue: return dataValue(value, within(encoding), names);
    case DataType.DiagnosticInfo: return diagnosticInfo(value, within(encoding));
    default: return value;
  }
}

function nested(values, dimensions) {
  if (dimensions.length === 1) return values;
  const size = values.length / dimensions[0];
  const part = (i) => nested(values.slice(i * size, (i + 1) * size), dimensions.slice(1));
  return Array.from({ length: dimensions[0] }, (_, i) => part(i));
}

/** One that is a value itself. Its Variant is never null, and its status is not Good. The standard counts picoseconds
 * by ten. */
function dataValue(value, encoding, names) {
  const variant = variantJson(value.value, encoding, names);
  const { sourceTimestamp, sourcePicoseconds, serverTimestamp } = value;
  return {
    ...(isNew(encoding) ? variant : { Value: variant }), Status: statusCode(value.statusCode, encoding),
    SourceTimestamp: sourceTimestamp || undefined, SourcePicoseconds: sourcePicoseconds / 10 || undefined,
    ServerTimestamp: serverTimestamp || undefined,
  };
}

function diagnosticInfo(value, encoding) {
  const index = (of) => (of < 0 ? undefined : of);
  const { additionalInfo, innerStatusCode, innerDiagnosticInfo } = value;
  return {
    SymbolicId: index(value.symbolicId), NamespaceUri: index(value.namespaceURI), Locale: index(value.locale),
    LocalizedText: index(value.localizedText), AdditionalInfo: additionalInfo === null ? undefined : additionalInfo,
    InnerStatusCode: innerStatusCode.value === 0 ? undefined : statusCode(innerStatusCode, encoding),
    InnerDiagnosticInfo: innerDiagnosticInfo ? diagnosticInfo(innerDiagnosticInfo, encoding) : undefined,
  };
}

function fieldsOf(value, encoding, names) {
  const fields = {};
  for (const field of value.schema.fields) {
    const one = value[field.name];
    fields[field.name[0].toUpperCase() + field.name.slice(1)] =
      scalar(DataType[field.fieldType], one, within(encoding), names);
  }
  return fields;
}

/** The JSON body, by its encoding, of structures that only the address space defines. */
const bodies = new WeakMap();

/** One that nobody knows is its bytes; of one of the standard, no field has its default value. */
function structure(value, encoding, names) {
  if (value.nodeId && value.buffer) {
    const body = value.buffer.toString("base64");
    const typeId = nodeId(value.nodeId, encoding, names);
    switch (encoding) {
      case "nonreversible": return body;
      case "reversible": return { TypeId: typeId, Encoding: 1, Body: body };
      default: return { UaTypeId: typeId, UaEncoding: 1, UaBody: body };
    }
  }
  const fields = bodies.has(value) ? bodies.get(value)(within(encoding)) : fieldsOf(value, encoding, names);
  const typeId = value.schema.dataTypeNodeId;
  switch (encoding) {
    case "nonreversible": return fields;
    case "reversible": return { TypeId: nodeId(typeId, encoding, names), Body: fields };
    default: return { UaTypeId: nodeId(typeId, encoding, names), ...fields };
  }
}

function variantJson(variant, encoding, names) {
  const { dataType, arrayType, dimensions } = variant;
  const one = (value) => scalar(dataType, value, encoding, names);
  const isMatrix = arrayType === VariantArrayType.Matrix;
  const value = arrayType === VariantArrayType.Scalar ? one(variant.value) : Array.from(variant.value, one);
  const shape = isMatrix ? { Dimensions: Array.from(dimensions) } : {};
  switch (encoding) {
    case "rest": case "nonreversible": return isMatrix ? nested(value, dimensions) : value;
    case "reversible":
      // Good alone is left out, as a default value is.
      return {
        Type: dataType, Body: value === 0 && dataType === DataType.StatusCode ? undefined : value, ...shape,
      };
    default: return { UaType: dataType, Value: value, ...shape };
  }
}

/** The resource API's value, or the DataValue of /opcua/read without its time. */
function json(variant, encoding, names) {
  const value = variantJson(variant, encoding, names);
  return encoding === "reversible" || encoding === "nonreversible" ? { Value: value } : value;
}

/** A Date is the same as its text; what is undefined is the same as what is not there; an id of hexadecimal digits may
 * be of either case. */
function same(wanted, found) {
  if (wanted instanceof Date) return typeof found === "string" && Date.parse(found) === wanted.getTime();
  if (wanted === null || typeof wanted !== "object") {
    return wanted === found ||
      (/^[0-9A-Fa-f-]{36}$/.test(wanted) && typeof found === "string" && wanted.toLowerCase() === found.toLowerCase());
  }
  if (found === null || typeof found !== "object" || Array.isArray(wanted) !== Array.isArray(found)) return false;
  const keys = new Set([...Object.keys(wanted), ...Object.keys(found)]);
  return [...keys].every((key) => same(wanted[key], found[key]));
}

module.exports = { bodies, json, same };
