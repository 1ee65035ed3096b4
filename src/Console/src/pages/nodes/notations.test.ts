import { expect, it } from "vitest";
import type { Node } from "../../api/types.ts";
import { notationsOf } from "./notations.ts";

const node = {
  node: "nsu=urn:plant;s=It's",
  nodeClass: "Variable",
  path: "/Objects/2:It's",
} as Node;

it("writes a node in each notation", () => {
  const found = Object.fromEntries(
    notationsOf(node, ["http://opcfoundation.org/UA/", "urn:me", "urn:plant"], "http://gw"),
  );
  expect(found["With the namespace's index"]).toBe("ns=2;s=It's");
  expect(found["Browse path"]).toBe("/Objects/2:It's");
  expect(found.curl).toBe("curl -u USER -G http://gw/api/v1/values --data-urlencode 'node=nsu=urn:plant;s=It'\\''s'");
  expect(found.JavaScript).toContain('encodeURIComponent("nsu=urn:plant;s=It\'s")');
});

it("has no index for what it does not know", () => {
  expect(notationsOf({ ...node, node: "i=85", nodeClass: "Object" }, [], "").map(([name]) => name)).toEqual([
    "Node id",
    "Browse path",
  ]);
});
