import type { Node } from "../../api/types.ts";

/** A node by its name in each notation, and as a command and a script. */
export function notationsOf(node: Node, namespaces: string[], origin: string): [name: string, text: string][] {
  const found: [string, string][] = [["Node id", node.node]];
  const byIndex = indexed(node.node, namespaces);
  if (byIndex) found.push(["With the namespace's index", byIndex]);
  if (node.path) found.push(["Browse path", node.path]);
  if (node.nodeClass === "Variable") {
    found.push(["curl", `curl -u USER -G ${origin}/api/v1/values --data-urlencode ${quoted(`node=${node.node}`)}`]);
    found.push(["JavaScript", scriptOf(node.node, origin)]);
  }
  return found;
}

/** Null where it is in the namespace of OPC UA itself, or the index is not known. */
function indexed(node: string, namespaces: string[]): string | null {
  const match = /^nsu=([^;]*);(.*)$/s.exec(node);
  if (!match) return null;
  const index = namespaces.indexOf(match[1] ?? "");
  return index < 0 ? null : `ns=${index};${match[2]}`;
}

/** For a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function scriptOf(node: string, origin: string): string {
  return [
    `const login = btoa("USER:PASSWORD");`,
    `const answer = await fetch("${origin}/api/v1/values?node=" + encodeURIComponent(${JSON.stringify(node)}),`,
    `  { headers: { Authorization: "Basic " + login } });`,
    "console.log((await answer.json()).values[0].value);",
  ].join("\n");
}
