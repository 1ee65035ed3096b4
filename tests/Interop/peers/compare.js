"use strict";
// Walks the address space of args.upstreamUrl and that of args.endpointUrl from Root, and tells each difference of the
// upstream's own nodes as a line: a node that is missing or too much, an attribute, a reference, a decoded value.
// args.moved: { uri: uri there } of instances; args.shared: URIs of types in common. Ids and names are compared by
// their namespace URIs.
const { opcua, args, run, createClient } = require("./lib/peer");
const { AttributeIds, BrowseDirection, DataType, NodeClass } = opcua;

const chunk = 200;
const standard = "http://opcfoundation.org/UA/";
/** Each server's own Server object: what lies below it is that server's alone. */
const server = "ns=0;i=2253";
/** Of the object that each upstream's nodes hang below. */
const root = "urn:gateway:upstreams";

/** Attributes by NodeClass, without those that say who is asking. */
const attributes = ["NodeClass", "BrowseName", "DisplayName", "Description", "WriteMask", "UserWriteMask", "IsAbstract",
  "Symmetric", "InverseName", "ContainsNoLoops", "EventNotifier", "DataType", "ValueRank", "ArrayDimensions",
  "AccessLevel", "UserAccessLevel", "MinimumSamplingInterval", "Historizing", "Executable", "UserExecutable",
  "DataTypeDefinition", "RolePermissions", "UserRolePermissions", "AccessRestrictions", "AccessLevelEx", "Value"];

class Space {
  constructor(session) {
    this.session = session;
    this.nodes = new Map();
  }

  uri(index) {
    return this.uris[index] || `?${index}`;
  }

  id(nodeId) {
    const id = opcua.resolveNodeId(nodeId);
    const uri = id.namespaceUri || this.uri(id.namespace);
    const text = opcua.NodeId.prototype.toString.call(id).replace(/^(svr=\d+;)?(ns=\d+;|nsu=[^;]*;)?/, "");
    const server = id.serverIndex ? `svr=${id.serverIndex};` : "";
    return server + (uri === standard ? text : `nsu=${uri};${text}`);
  }

  name(name) {
    return name.namespaceIndex ? `${this.uri(name.namespaceIndex)}:${name.name}` : name.name;
  }

  /** A value without what differs between two servers that say the same. */
  plain(value) {
    if (value === undefined || value === null) return null;
    if (typeof value === "bigint" || typeof value === "number" && !Number.isFinite(value)) return String(value);
    if (typeof value !== "object") return value;
    if (value instanceof opcua.NodeId) return this.id(value);
    if (value instanceof opcua.QualifiedName) return this.name(value);
    if (value instanceof opcua.LocalizedText) {
      return value.text || value.locale ? { locale: value.locale || null, text: value.text || null } : null;
    }
    if (value instanceof Date) return value.toISOString();
    if (Buffer.isBuffer(value)) return value.toString("hex");
    if (value.constructor.name.endsWith("StatusCode")) return value.name;
    if (value instanceof opcua.Variant) {
      return value.dataType === DataType.Null ? null : {
        type: DataType[value.dataType], array: value.arrayType, dimensions: value.dimensions || null,
        value: this.plain(value.value),
      };
    }
    if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value, (one) => this.plain(one));
    if (value.constructor.name === "OpaqueStructure") {
      return { opaque: this.id(value.nodeId), body: value.buffer.toString("hex") };
    }
    const fields = { is: value.schema ? value.schema.name : value.constructor.name };
    for (const key of Object.keys(value)) {
      if (typeof value[key] !== "function" && !key.startsWith("__")) fields[key] = this.plain(value[key]);
    }
    return fields;
  }

  async walk() {
    this.uris = await this.session.readNamespaceArray();
    let queue = ["ns=0;i=84"];
    const seen = new Set([...queue, server]);
    while (queue.length > 0) {
      const batch = queue.splice(0, chunk);
      const results = await this.browse(batch);
      results.forEach((references, i) => {
        const found = references.map((reference) => ({
          type: this.id(reference.referenceTypeId), forward: reference.isForward, target: this.id(reference.nodeId),
          shown: [this.name(reference.browseName), NodeClass[reference.nodeClass], this.id(reference.typeDefinition)],
        }));
        this.nodes.set(this.id(batch[i]), { id: batch[i], references: found });
        for (const reference of references) {
          const target = reference.nodeId.toString();
          if (!reference.nodeId.serverIndex && !seen.has(target)) {
            seen.add(target);
            queue.push(target);
          }
        }
      });
    }
    await this.read();
    return this;
  }

  async browse(ids) {
    const results = await this.session.browse(ids.map((nodeId) => ({
      nodeId, browseDirection: BrowseDirection.Both, includeSubtypes: true, nodeClassMask: 0, resultMask: 63,
    })));
    return Promise.all(results.map(async (result) => {
      const references = [...(result.references || [])];
      for (let point = result.continuationPoint; point && point.length > 0;) {
        const next = await this.session.browseNext(point, false);
        references.push(...(next.references || []));
        point = next.continuationPoint;
      }
      return references;
    }));
  }

  /** node-opcua decodes a structure that is a value, and not one in a Variant of an array. */
  async decodeInside(values) {
    const inside = values.flatMap((value) => (value.value && value.value.dataType === DataType.Variant
      && Array.isArray(value.value.value) ? value.value.value.map((variant) => ({ value: variant })) : []));
    if (inside.length > 0) await opcua.promoteOpaqueStructure(this.session, inside);
  }

  async read() {
    const own = [...this.nodes].filter(([key]) => key.startsWith("nsu="));
    const perRead = Math.max(1, Math.floor(1_000 / attributes.length));
    for (let i = 0; i < own.length; i += perRead) {
      const part = own.slice(i, i + perRead);
      const values = await this.session.read(part.flatMap(([, node]) => attributes.map((name) => ({
        nodeId: node.id, attributeId: AttributeIds[name],
      }))));
      await this.decodeInside(values);
      part.forEach(([, node], j) => {
        node.attributes = {};
        attributes.forEach((name, k) => {
          const value = values[j * attributes.length + k];
          const said = name === "Value"
            ? { value: this.plain(value.value), source: this.plain(value.sourceTimestamp) }
            : this.plain(value.value && value.value.value);
          const status = value.statusCode.name;
          // An attribute that is there and empty says no more than one that is not there.
          node.attributes[name] = status === "Good" ? said === null ? "absent" : said
            : status === "BadAttributeIdInvalid" ? "absent" : { status, said };
        });
      });
    }
  }
}

const text = (value) => JSON.stringify(value);

/** Where the gateway has a node of the upstream: an instance whose id another upstream has is there under another URI. */
function mover(gateway, moved) {
  return (key) => {
    for (const [uri, other] of Object.entries(moved)) {
      const id = key.startsWith(`nsu=${uri};`) ? key.replace(uri, other) : key;
      if (id !== key && gateway.nodes.has(id)) return id;
    }
    return key;
  };
}

/** The ids inside a value, moved. */
function moveIn(value, there) {
  if (typeof value === "string") return there(value);
  if (Array.isArray(value)) return value.map((one) => moveIn(one, there));
  return value && typeof value === "object"
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, moveIn(one, there)])) : value;
}

/** A type that several upstreams have in common has the time at which the first of them said its value. */
function withoutTime(value) {
  return value && value.said ? { ...value, said: value.said.value } : value && value.value ? value.value : value;
}

function differences(upstream, gateway, uris, { moved = {}, shared = [] }) {
  const lines = [];
  const there = mover(gateway, moved);
  const has = (key, ...among) => among.some((uri) => key.startsWith(`nsu=${uri};`));
  const isOwn = (key) => has(key, ...uris);
  const isOthers = (key) => key.startsWith("nsu=") && !has(key, ...uris, ...Object.values(moved), root);
  const line = (key, reference) => `${key} ${reference.forward ? "->" : "<-"} ${reference.type} ${reference.target}`;
  for (const [key, node] of upstream.nodes) {
    const same = gateway.nodes.get(there(key));
    if (isOwn(key) && !same) {
      lines.push(`node missing: ${key} (${node.attributes.NodeClass}, ${node.attributes.BrowseName})`);
      continue;
    }
    if (isOwn(key)) {
      for (const name of attributes) {
        const of = name === "Value" && has(key, ...shared) ? withoutTime : (value) => value;
        const [one, other] = [text(moveIn(of(node.attributes[name]), there)), text(of(same.attributes[name]))];
        if (one !== other) lines.push(`attribute ${name}: ${key}: ${one} became ${other}`);
      }
    }
    const references = same ? new Set(same.references.map((reference) => line(key, reference))) : new Set();
    const moves = (reference) => ({ ...reference, target: there(reference.target) });
    for (const reference of node.references) {
      if ((isOwn(key) || isOwn(reference.target)) && gateway.nodes.has(there(reference.target)) &&
        !references.has(line(key, moves(reference))))
        lines.push(`reference missing: ${line(key, reference)}`);
    }
    const before = new Set(node.references.map((reference) => line(key, moves(reference))));
    for (const reference of same && isOwn(key) ? same.references : []) {
      if (!before.has(line(key, reference)) && !isOthers(reference.target))
        lines.push(`reference too much: ${line(key, reference)}`);
    }
  }
  for (const key of gateway.nodes.keys()) {
    if (isOwn(key) && !upstream.nodes.has(key)) lines.push(`node too much: ${key}`);
  }
  return lines;
}

async function open(endpointUrl) {
  const client = await createClient();
  await client.connect(endpointUrl);
  return { client, session: await client.createSession() };
}

async function walk(endpointUrl) {
  const { client, session } = await open(endpointUrl);
  try {
    return await new Space(session).walk();
  } finally {
    await session.close();
    await client.disconnect();
  }
}

run(async ({ upstreamUrl, endpointUrl, moved, shared }) => {
  const upstream = await walk(upstreamUrl);
  const gateway = await walk(endpointUrl);
  const uris = upstream.uris.slice(1);
  const lines = differences(upstream, gateway, uris, { moved, shared });
  return {
    lines, compared: [...upstream.nodes.keys()].filter((key) => uris.some((uri) => key.startsWith(`nsu=${uri};`))).length,
    values: [...upstream.nodes.values()].filter((node) => node.attributes && node.attributes.Value !== "absent").length,
  };
});
