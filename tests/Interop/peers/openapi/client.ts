// A client as a user of the documents writes one: every path, parameter, body and answer below has a generated type.
import createClient from "openapi-fetch";
import type { components, paths } from "./generated/api.js";
import type { paths as ServicePaths } from "./generated/opcua.js";

type Value = components["schemas"]["Value"];
type Problem = components["schemas"]["Problem"];

export async function readWriteRead(baseUrl: string, authorization: string) {
  const client = createClient<paths, `application/${string}`>({ baseUrl: baseUrl + "/api/v1", headers: { authorization } });
  const node = "ns=2;s=UInt16";

  const before = only((await client.GET("/values", { params: { query: { node: [node] } } })).data?.values);
  const next = typeof before.value === "number" ? (before.value + 1) % 65536 : 1;
  const written = await client.PUT("/values", { body: { values: [{ node, value: next }] } });
  const after = only((await client.POST("/values/read", { body: { nodes: [node] } })).data?.values);

  const refused = await client.GET("/values", { params: { query: { node: ["UInt16"] } } });
  if (!refused.error) throw new Error("no error for a node id that is none");
  const problem: Problem = refused.error;

  const described = await client.GET("/nodes/{id}", {
    params: { path: { id: node }, query: { fields: ["node", "nodeClass", "access"] } },
  });
  return {
    before: before.value, written: written.data?.results[0]?.status, expected: next, after: after.value,
    type: after.type, statusCode: problem.statusCode, status: refused.response.status,
    nodeClass: described.data?.nodeClass, access: described.data?.access,
  };
}

export async function readByService(baseUrl: string, authorization: string) {
  const client = createClient<ServicePaths>({ baseUrl: baseUrl + "/opcua", headers: { authorization } });
  const { data } = await client.POST("/read", { body: { NodesToRead: [{ NodeId: "ns=2;s=UInt16", AttributeId: 13 }] } });
  return data?.Results?.[0]?.Value;
}

function only(values: Value[] | undefined): Value {
  const value = values?.[0];
  if (!value || value.status !== "Good") throw new Error("no good value: " + JSON.stringify(value));
  return value;
}
