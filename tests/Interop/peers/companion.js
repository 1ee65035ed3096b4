"use strict";
// Follows args.paths ([{ start: { uri, id }, names: [{ uri, name }] }]) by TranslateBrowsePathsToNodeIds, and reads what
// is there.
const { opcua, run, withSession, namespaceIndex } = require("./lib/peer");

run(({ paths }) => withSession(async (session) => {
  const results = [];
  for (const { start, names } of paths) {
    const elements = [];
    for (const { uri, name } of names) {
      elements.push({
        referenceTypeId: opcua.resolveNodeId("HierarchicalReferences"), isInverse: false, includeSubtypes: true,
        targetName: { namespaceIndex: uri ? await namespaceIndex(session, uri) : 0, name },
      });
    }
    const found = await session.translateBrowsePath({
      startingNode: opcua.coerceNodeId(`ns=${await namespaceIndex(session, start.uri)};${start.id}`),
      relativePath: { elements },
    });
    const targets = found.targets || [];
    const values = targets.length ? await session.read({ nodeId: targets[0].targetId }) : null;
    const namespaces = await session.readNamespaceArray();
    results.push({
      status: found.statusCode.name, count: targets.length, value: values && values.value.value,
      uri: targets.length ? namespaces[targets[0].targetId.namespace] : null,
    });
  }
  return results;
}));
