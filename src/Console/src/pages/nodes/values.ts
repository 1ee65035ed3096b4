/** A value as a person reads it: texts as they are, all else as JSON. */
export function textOfValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

const TEXT_TYPES = ["String", "DateTime", "Guid", "ByteString", "XmlElement", "NodeId", "ExpandedNodeId", "StatusCode"];

/** What was typed as the JSON for a value of this built-in type. Throws where it does not fit: the gateway checks the
 * rest. */
export function valueOfText(text: string, type: string | undefined, isArray: boolean): unknown {
  if (!isArray && type && TEXT_TYPES.includes(type)) return text;
  const trimmed = text.trim();
  if (!isArray && (type === "Int64" || type === "UInt64") && /^-?\d{16,}$/.test(trimmed)) return trimmed;
  try {
    return JSON.parse(trimmed);
  } catch {
    if (!isArray && (type === "LocalizedText" || type === "QualifiedName" || type === undefined)) return text;
    throw new Error(isArray ? "Type a list in square brackets: [1, 2, 3]." : "Type a number, true, false or JSON.");
  }
}
