/** The built-in types by their DataType. Source: Part 6 §5.1.2. */
const BUILT_IN = [
  "",
  "Boolean",
  "SByte",
  "Byte",
  "Int16",
  "UInt16",
  "Int32",
  "UInt32",
  "Int64",
  "UInt64",
  "Float",
  "Double",
  "String",
  "DateTime",
  "Guid",
  "ByteString",
  "XmlElement",
  "NodeId",
  "ExpandedNodeId",
  "StatusCode",
  "QualifiedName",
  "LocalizedText",
];

export function typeOf(dataType: string | undefined): string | undefined {
  const match = /^i=(\d+)$/.exec(dataType ?? "");
  return (match && BUILT_IN[Number(match[1])]) || undefined;
}

/** The object that a method is reached by: its path without the last name. A slash in a name has & before it (Part 4
 * §A.2). */
export function parentPathOf(path = ""): string {
  let end = 0;
  for (let at = 0; at < path.length; at++) {
    if (path[at] === "&") at++;
    else if (path[at] === "/") end = at;
  }
  return path.slice(0, end);
}
