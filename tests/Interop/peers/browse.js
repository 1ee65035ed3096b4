"use strict";
// Browses the whole address space from Root by every hierarchical and non-hierarchical reference, forward and inverse,
// and reads the class of every node that a reference names.
const { opcua, run, withSession } = require("./lib/peer");
const { AttributeIds, BrowseDirection, NodeClass } = opcua;

const chunk = 100;
const hasTypeDefinition = "ns=0;i=40", hasSubtype = "ns=0;i=45", hasModellingRule = "ns=0;i=37", mandatory = "ns=0;i=78";
const aggregates = new Set(["ns=0;i=46", "ns=0;i=47"]);

async function browseAll(session, nodeIds) {
  const results = await session.browse(nodeIds.map((nodeId) => ({
    nodeId, browseDirection: BrowseDirection.Both, includeSubtypes: true, nodeClassMask: 0, resultMask: 63,
  })));
  for (const result of results) {
    let point = result.continuationPoint;
    while (point && point.length > 0) {
      const next = await session.browseNext(point, false);
      result.references.push(...(next.references || []));
      point = next.continuationPoint;
    }
  }
  return results;
}

/** Every node reachable from Root; its references by source, and what went wrong. */
async function walk(session) {
  const nodes = new Map();
  const bad = [];
  let queue = ["ns=0;i=84"];
  const seen = new Set(queue);
  while (queue.length > 0) {
    const batch = queue.splice(0, chunk);
    const results = await browseAll(session, batch);
    results.forEach((result, i) => {
      if (result.statusCode.name !== "Good") bad.push(`${batch[i]}: ${result.statusCode.name}`);
      const references = (result.references || []).map((reference) => ({
        type: reference.referenceTypeId.toString(), forward: reference.isForward,
        target: reference.nodeId.toString(), remote: reference.nodeId.serverIndex > 0,
        name: reference.browseName.toString(), nodeClass: reference.nodeClass,
      }));
      nodes.set(batch[i], references);
      for (const reference of references) {
        if (!reference.remote && !seen.has(reference.target)) {
          seen.add(reference.target);
          queue.push(reference.target);
        }
      }
    });
  }
  return { nodes, bad };
}

/** References without their inverse on the other side; to types and rules a server need not keep any (Part 3 §4.4.4). */
function oneSided(nodes) {
  const found = [];
  const forwardOnly = new Set([hasTypeDefinition, hasModellingRule]);
  for (const [source, references] of nodes) {
    for (const reference of references.filter((one) => !forwardOnly.has(one.type))) {
      const back = nodes.get(reference.target);
      if (back && !back.some((other) => other.target === source && other.type === reference.type
        && other.forward !== reference.forward)) {
        found.push(`${source} ${reference.forward ? "->" : "<-"} ${reference.type} ${reference.target}`);
      }
    }
  }
  return found;
}

async function readClasses(session, ids) {
  const bad = [];
  for (let i = 0; i < ids.length; i += chunk) {
    const part = ids.slice(i, i + chunk);
    const values = await session.read(part.map((nodeId) => ({ nodeId, attributeId: AttributeIds.NodeClass })));
    values.forEach((value, j) => {
      if (value.statusCode.name !== "Good") bad.push(`${part[j]}: ${value.statusCode.name}`);
    });
  }
  return bad;
}

/** The mandatory children of the type of `source` and of its supertypes that `source` lacks, downwards. */
function missingChildren(nodes, source, path, missing, typeId) {
  const references = nodes.get(source) || [];
  const own = new Map(references.filter((r) => r.forward && aggregates.has(r.type)).map((r) => [r.name, r.target]));
  let type = typeId
    || (references.find((r) => r.forward && r.type === hasTypeDefinition) || {}).target;
  while (type) {
    const typeReferences = nodes.get(type) || [];
    for (const child of typeReferences.filter((r) => r.forward && aggregates.has(r.type))) {
      const rule = (nodes.get(child.target) || []).find((r) => r.forward && r.type === hasModellingRule);
      if (!rule || rule.target !== mandatory) continue;
      if (own.has(child.name)) missingChildren(nodes, own.get(child.name), `${path}/${child.name}`, missing);
      else missing.push(`${path}/${child.name}`);
    }
    type = (typeReferences.find((r) => !r.forward && r.type === hasSubtype) || {}).target;
  }
  return missing;
}

run(() => withSession(async (session) => {
  const { nodes, bad } = await walk(session);
  const ids = [...nodes.keys()];
  const unreadable = await readClasses(session, ids);
  const namespaceArray = await session.readNamespaceArray();
  const counts = {};
  const classes = {};
  for (const references of nodes.values()) {
    for (const reference of references) classes[reference.target] = NodeClass[reference.nodeClass];
  }
  for (const id of ids) {
    const uri = namespaceArray[Number(/^ns=(\d+);/.exec(id)[1])];
    counts[uri] = (counts[uri] || 0) + 1;
  }
  const values = await session.read(
    ids.filter((id) => id.startsWith("ns=0;") && classes[id] === "Variable").slice(0, 2000)
      .map((nodeId) => ({ nodeId, attributeId: AttributeIds.DataType })));
  return {
    nodes: ids.length, counts, dangling: bad.slice(0, 50), danglingCount: bad.length,
    unreadable: unreadable.slice(0, 50), oneSided: oneSided(nodes).slice(0, 50), oneSidedCount: oneSided(nodes).length,
    missingOfServer: missingChildren(nodes, "ns=0;i=2253", "Server", []),
    variablesWithoutDataType: values.filter((value) => value.statusCode.name !== "Good").length,
    namespaceArray,
  };
}));
