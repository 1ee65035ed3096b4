"use strict";
// Makes a structure that only the upstream defines from the gateway's DataType, writes it through the gateway, and reads
// it at the gateway and at args.upstreamUrl: each names the same node in its own namespace indexes. Then calls a method.
const { opcua, args, run, createClient, namespaceIndex } = require("./lib/peer");

async function withServer(endpointUrl, body) {
  const client = await createClient();
  await client.connect(endpointUrl);
  const session = await client.createSession();
  try {
    return await body(session);
  } finally {
    await session.close();
    await client.disconnect();
  }
}

async function readLink(session) {
  const namespaces = await session.readNamespaceArray();
  const plant = namespaces.indexOf(args.plantUri);
  const value = await session.read({ nodeId: `ns=${plant};s=Link` });
  const link = value.value.value;
  const name = (index) => namespaces[index];
  return {
    status: value.statusCode.name, tag: link.tag, type: link.schema && link.schema.name,
    target: `${name(link.target.namespace)} ${link.target.value}`,
    name: `${name(link.name.namespaceIndex)} ${link.name.name}`,
    more: link.more.map((id) => `${name(id.namespace)} ${id.value}`),
  };
}

run(async () => {
  const through = await withServer(args.endpointUrl, async (session) => {
    const mixers = await namespaceIndex(session, "urn:interop:mixers");
    const plant = await namespaceIndex(session, args.plantUri);
    const own = await namespaceIndex(session, args.ownUri);
    const target = opcua.coerceNodeId(`ns=${own};s=Mixer2`);
    const link = await session.constructExtensionObject(opcua.coerceNodeId(`ns=${mixers};i=41`), {
      tag: "written", target, name: new opcua.QualifiedName({ namespaceIndex: mixers, name: "there" }),
      far: opcua.coerceExpandedNodeId(target.toString()), more: [target],
    });
    const written = await session.write({
      nodeId: `ns=${plant};s=Link`, attributeId: opcua.AttributeIds.Value,
      value: { value: { dataType: opcua.DataType.ExtensionObject, value: link } },
    });
    const call = async (value) => {
      const result = await session.call({
        objectId: `ns=${own};s=Mixer1`, methodId: `ns=${mixers};i=22`,
        inputArguments: [{ dataType: opcua.DataType.Int32, value }],
      });
      return [result.statusCode.name, ...(result.inputArgumentResults || []).map((one) => one.name).filter((name) => name !== "Good")];
    };
    return { written: written.name, link: await readLink(session), good: await call(0), bad: await call(5) };
  });
  return { ...through, direct: await withServer(args.upstreamUrl, readLink) };
});
