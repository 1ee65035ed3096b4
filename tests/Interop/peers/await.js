"use strict";
// Waits until args.id can be read in each namespace of args.uris.
const { opcua, run, withSession } = require("./lib/peer");

run(({ uris, id }) => withSession(async (session) => {
  for (;;) {
    // readNamespaceArray keeps its first answer.
    const { value } = await session.read({ nodeId: opcua.resolveNodeId("Server_NamespaceArray") });
    const namespaces = [...value.value];
    const ids = uris.map((uri) => namespaces.indexOf(uri)).filter((index) => index > 0).map((ns) => `ns=${ns};${id}`);
    if (ids.length === uris.length) {
      const values = await session.read(ids.map((nodeId) => ({ nodeId })));
      if (values.every((value) => value.statusCode.isGood())) return { namespaces };
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}));
