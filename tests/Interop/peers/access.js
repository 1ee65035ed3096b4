"use strict";
// Writes args.writes ([{ uri, id, type, value }]), then reads args.reads ([{ uri, id }]); ids are without namespace.
const { opcua, run, withSession, namespaceIndex } = require("./lib/peer");

const resolve = async (session, { uri, id }) => (uri ? `ns=${await namespaceIndex(session, uri)};${id}` : id);

run(({ writes = [], reads = [] }) => withSession(async (session) => {
  const written = [];
  for (const one of writes) {
    const nodeId = await resolve(session, one);
    written.push((await session.write({
      nodeId, attributeId: opcua.AttributeIds.Value,
      value: { value: { dataType: one.type, value: one.value } },
    })).name);
  }
  const values = [];
  for (const one of reads) {
    const read = await session.read({ nodeId: await resolve(session, one), attributeId: one.attributeId || 13 });
    values.push({
      status: read.statusCode.name, value: read.value.value,
      sourceTimestamp: read.sourceTimestamp && read.sourceTimestamp.toISOString(),
    });
  }
  return { written, values };
}));
