"use strict";
// The values of a node-opcua server as JSON over HTTP: what one would write in an afternoon with Express. It reads the
// address space of its own process, so no OPC UA connection stands between the two. Paths and answers are those of the
// gateway's resource API, so that one client measures both.
const express = require("express");
const { opcua } = require("./peer");

/** Node ids as nsu=<uri>;<identifier>, resolved once. */
function finder(addressSpace) {
  const known = new Map();
  return (text) => {
    let node = known.get(text);
    if (!node) {
      const [, uri, rest] = /^nsu=([^;]*);(.*)$/.exec(text) || [null, null, text];
      const index = uri === null ? 0 : addressSpace.getNamespaceIndex(uri);
      node = index < 0 ? null : addressSpace.findNode(uri === null ? rest : `ns=${index};${rest}`);
      if (node) known.set(text, node);
    }
    return node;
  };
}

function entryOf(text, node) {
  if (!node) return { node: text, status: "BadNodeIdUnknown" };
  const { value, statusCode, sourceTimestamp, serverTimestamp } = node.readValue();
  return {
    node: text, value: value.value, type: opcua.DataType[value.dataType], status: statusCode.name, sourceTimestamp,
    serverTimestamp,
  };
}

async function write(addressSpace, node, { node: text, value }) {
  if (!node) return { node: text, status: "BadNodeIdUnknown" };
  const dataType = node.readValue().value.dataType;
  const status = await node.writeValue(
    opcua.SessionContext.defaultContext, new opcua.DataValue({ value: new opcua.Variant({ dataType, value }) }));
  return { node: text, status: status.name };
}

/** Once an interval what has changed since the last event, as one event. */
function stream(request, response, find) {
  const { nodes, interval } = request.body;
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  const watched = nodes.map((text) => ({ text, node: find(text), last: undefined }));
  const send = () => {
    const values = [];
    for (const one of watched) {
      const { value } = one.node ? one.node.readValue() : {};
      if (value && value.value === one.last) continue;
      one.last = value && value.value;
      values.push(entryOf(one.text, one.node));
    }
    if (values.length > 0) response.write(`event: values\ndata: ${JSON.stringify({ values, skipped: 0 })}\n\n`);
  };
  send();
  const timer = setInterval(send, interval || 1000);
  response.on("close", () => clearInterval(timer));
}

/** Resolves when it listens on the loopback address. */
function serve(addressSpace, port) {
  const find = finder(addressSpace);
  const application = express();
  application.disable("x-powered-by");
  application.disable("etag");
  application.use(express.json({ limit: "10mb" }));
  application.get("/api/v1/values", (request, response) => {
    const nodes = [].concat(request.query.node || []);
    response.json({ values: nodes.map((text) => entryOf(text, find(text))) });
  });
  application.post("/api/v1/values/read", (request, response) =>
    response.json({ values: request.body.nodes.map((text) => entryOf(text, find(text))) }));
  application.put("/api/v1/values", async (request, response) => response.json({
    results: await Promise.all(request.body.values.map((one) => write(addressSpace, find(one.node), one))),
  }));
  application.post("/api/v1/stream", (request, response) => stream(request, response, find));
  return new Promise((resolve, reject) => {
    const server = application.listen(port, "127.0.0.1", (error) => (error ? reject(error) : resolve()));
    server.keepAliveTimeout = 60000;
  });
}

module.exports = { serve };
