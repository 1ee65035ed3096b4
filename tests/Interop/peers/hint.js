"use strict";
// Opens a session and keeps it, then asks for another on a connection of its own, and tells what the refusal said.
const { opcua, args, run, describe, createClient, withSession } = require("./lib/peer");

function parametersOf(header) {
  if (!header || header.constructor.name !== "AdditionalParametersType") return null;
  // An Int64 is [high, low] here.
  return header.parameters.map((one) => ({
    key: one.key.name, type: opcua.DataType[one.value.dataType],
    value: one.value.value[0] * 2 ** 32 + one.value.value[1],
  }));
}

run(() => withSession(async () => {
  const late = await createClient({});
  try {
    await late.connect(args.endpointUrl);
    await late.createSession();
    return { refused: false };
  } catch (error) {
    const header = error.response && error.response.responseHeader;
    return {
      refused: true, status: describe(error).status,
      parameters: header ? parametersOf(header.additionalHeader) : null,
    };
  } finally {
    await late.disconnect().catch(() => {});
  }
}));
