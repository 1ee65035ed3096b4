"use strict";
// Subscribes by mqtt.js to args.topic at args.port, with a session that outlives the connection, and checks what a
// gateway publishes of counters: within each run of it, each sequence number and each count of each tag is there, in
// order; a message comes twice only under a MessageId that is known. Tells "subscribed"; a line "frames N" on stdin is
// answered by "frames" once the present run has had N messages more; a line "runs N" by "runs" once there were N runs.
const { connect } = require("mqtt");
const { args, say } = require("./lib/peer");

const known = new Set();
const counts = new Map();
const waiting = [];
const stats = { runs: 0, frames: 0, repeats: 0, values: 0 };
let next = 0;

function take(text) {
  const message = JSON.parse(text);
  if (known.has(message.MessageId)) {
    stats.repeats++;
    return;
  }
  known.add(message.MessageId);
  const frame = message.Messages;
  if (stats.runs === 0 || (frame.SequenceNumber === 0 && next > 0)) {
    stats.runs++;
    next = 0;
    counts.clear();
  }
  if (frame.SequenceNumber !== next)
    throw new Error(`number ${frame.SequenceNumber} instead of ${next} in run ${stats.runs}`);
  if (frame.MessageType === "ua-keepalive") return;
  next++;
  stats.frames++;
  for (const [name, field] of Object.entries(frame.Payload)) takeField(name, field, frame.MessageType);
}

function takeField(name, field, type) {
  if (typeof field.Value !== "number") return;
  const before = counts.get(name);
  const isNext = before === undefined || field.Value === before + 1;
  if (!isNext && !(field.Value === before && type === "ua-keyframe"))
    throw new Error(`${name}: ${field.Value} after ${before} in message ${next - 1} of run ${stats.runs}`);
  counts.set(name, field.Value);
  stats.values++;
}

function fail(error) {
  say("failed", { error: String(error.stack) });
  process.stdout.write("", () => process.exit(1));
}

function tell() {
  for (const one of [...waiting]) {
    if (stats[one.name] < one.least) continue;
    waiting.splice(waiting.indexOf(one), 1);
    say(one.name, stats);
  }
}

const client = connect(`mqtt://127.0.0.1:${args.port}`, {
  clientId: "counters", clean: false, protocolVersion: 4, reconnectPeriod: 100, connectTimeout: 300000,
});
client.on("message", (_topic, payload) => {
  try {
    take(payload.toString("utf8"));
    tell();
  } catch (error) {
    fail(error);
  }
});
client.on("error", () => { /* The broker is away now and then. */ });
client.subscribe(args.topic, { qos: 1 }, (error) => (error ? fail(error) : say("subscribed")));
process.stdin.on("data", (text) => {
  for (const line of String(text).split("\n").filter((one) => one)) {
    const [name, number] = line.split(" ");
    waiting.push({ name, least: Number(number) + (name === "frames" ? stats.frames : 0) });
  }
  tell();
});
