"use strict";
// A Modbus TCP device by jsmodbus on args.port, with the values of the example in docs/modbus.md. Tells "ready", and
// "written" with set point and pump for each write; ends by SIGTERM.
const net = require("node:net");
const { server: { TCP } } = require("jsmodbus");

const args = JSON.parse(process.argv[2] || "{}");

function say(event, more) {
  process.stdout.write("@" + JSON.stringify({ event, ...more }) + "\n");
}

/** The low word comes first. */
function writeFloat(registers, address, value) {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(value);
  bytes.copy(registers, address * 2, 2, 4);
  bytes.copy(registers, address * 2 + 2, 0, 2);
}

const [holding, input] = [Buffer.alloc(200), Buffer.alloc(200)];
const [coils, discrete] = [Buffer.alloc(20), Buffer.alloc(20)];
input.writeInt16BE(-215, 0);
writeFloat(input, 1, 1.5);
holding.writeInt16BE(600, 0);
holding.writeUInt16BE(1 << 3, 10 * 2);
holding.write("Kessel 1", 20 * 2);
discrete[0] = 1 << 4;

let counter = -215;
setInterval(() => input.writeInt16BE(++counter % 30000, 0), args.changeMs || 100);

const listener = new net.Server();
const device = new TCP(listener, { holding, input, coils, discrete });
const functions = ["WriteSingleCoil", "WriteSingleRegister", "WriteMultipleCoils", "WriteMultipleRegisters"];
for (const name of functions)
  device.on(`post${name}`, () => say("written", { name, setPoint: holding.readInt16BE(0), pump: coils[0] & 1 }));
process.on("SIGTERM", () => process.exit(0));
listener.listen(args.port, "127.0.0.1", () => say("ready"));
