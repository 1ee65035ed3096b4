"use strict";
// Calls Add and Echo, also with wrong arguments, and Wait beside a Read that must not wait for it.
const { opcua, run, withSession, namespaceIndex } = require("./lib/peer");
const { DataType, Variant } = opcua;

const outcome = (result) => ({
  status: result.statusCode.name,
  inputs: (result.inputArgumentResults || []).map((status) => status.name),
  outputs: (result.outputArguments || []).map((value) => value.value),
});

run(({ namespaceUri }) => withSession(async (session) => {
  const ns = await namespaceIndex(session, namespaceUri);
  const call = async (method, inputArguments) => outcome(await session.call({
    objectId: `ns=${ns};s=Methods`, methodId: `ns=${ns};s=${method}`,
    inputArguments: inputArguments.map(([dataType, value]) => new Variant({ dataType, value })),
  }));
  const add = await call("Add", [[DataType.Int32, 40], [DataType.Int32, 2]]);
  const echo = await call("Echo", [[DataType.String, "Grüße"]]);
  const missing = await call("Add", [[DataType.Int32, 40]]);
  const many = await call("Add", [[DataType.Int32, 1], [DataType.Int32, 2], [DataType.Int32, 3]]);
  const wrongType = await call("Add", [[DataType.Int32, 40], [DataType.String, "2"]]);
  const unknown = await call("NoSuchMethod", []);
  const definition = await session.getArgumentDefinition(opcua.coerceNodeId(`ns=${ns};s=Add`));

  const order = [];
  const wait = call("Wait", [[DataType.Double, 500]]).then((result) => { order.push("wait"); return result; });
  await session.read({ nodeId: "i=2258" }).then(() => order.push("read"));
  return {
    add, echo, missing, many, wrongType, unknown, wait: await wait, order,
    inputs: definition.inputArguments.map((argument) => argument.name),
    outputs: definition.outputArguments.map((argument) => argument.name),
  };
}));
