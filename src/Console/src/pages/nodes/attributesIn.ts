import { textOfValue } from "./values.ts";

/** The attributes of all NodeClasses by their ids, without the Value. Source: Part 6 §A.1. */
const NAMES: Record<number, string> = {
  1: "NodeId",
  2: "NodeClass",
  3: "BrowseName",
  4: "DisplayName",
  5: "Description",
  6: "WriteMask",
  7: "UserWriteMask",
  8: "IsAbstract",
  9: "Symmetric",
  10: "InverseName",
  11: "ContainsNoLoops",
  12: "EventNotifier",
  14: "DataType",
  15: "ValueRank",
  16: "ArrayDimensions",
  17: "AccessLevel",
  18: "UserAccessLevel",
  19: "MinimumSamplingInterval",
  20: "Historizing",
  21: "Executable",
  22: "UserExecutable",
  23: "DataTypeDefinition",
  24: "RolePermissions",
  25: "UserRolePermissions",
  26: "AccessRestrictions",
  27: "AccessLevelEx",
};

/** Source: Part 3 §8.29. */
const CLASSES: Record<number, string> = {
  1: "Object",
  2: "Variable",
  4: "Method",
  8: "ObjectType",
  16: "VariableType",
  32: "ReferenceType",
  64: "DataType",
  128: "View",
};

/** Bit by bit. Source: Part 3 §8.57. */
const ACCESS = [
  "CurrentRead",
  "CurrentWrite",
  "HistoryRead",
  "HistoryWrite",
  "SemanticChange",
  "StatusWrite",
  "TimestampWrite",
];

/** Source: Part 3 §8.59. */
const EVENTS = ["SubscribeToEvents", "", "HistoryRead", "HistoryWrite"];

const BITS: Record<string, string[]> = {
  AccessLevel: ACCESS,
  UserAccessLevel: ACCESS,
  AccessLevelEx: ACCESS,
  EventNotifier: EVENTS,
};

interface DataValue {
  Value?: unknown;
  StatusCode?: { Code?: number };
}

export const ATTRIBUTE_IDS = Object.keys(NAMES).map(Number);

/** The attributes that the node has, in the answer of Read in the Compact encoding: what has its default is left out. */
export function attributesIn(answer: unknown): [name: string, text: string][] {
  const results = (answer as { Results?: DataValue[] }).Results ?? [];
  return ATTRIBUTE_IDS.flatMap((id, index): [string, string][] => {
    const result = results[index];
    const name = NAMES[id] ?? "";
    return !result || result.StatusCode?.Code ? [] : [[name, textOf(name, result.Value)]];
  });
}

function textOf(name: string, value: unknown): string {
  if (value === undefined || value === null) return "none";
  if (name === "NodeClass") return CLASSES[Number(value)] ?? textOfValue(value);
  const bits = BITS[name];
  if (bits && typeof value === "number") return bitsOf(value, bits);
  if (typeof value === "object" && "Text" in value) return String(value.Text);
  return textOfValue(value);
}

function bitsOf(value: number, names: string[]): string {
  const set = names.filter((name, bit) => name && value & (1 << bit));
  return `${value}${set.length > 0 ? ` (${set.join(", ")})` : ""}`;
}
