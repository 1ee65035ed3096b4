import { expect, it } from "vitest";
import type { ConfigurationValue } from "../../api/types.ts";
import { filesOf, nextOf } from "../configuration/files.ts";
import {
  asArguments,
  asJson,
  asYaml,
  brokerNameOf,
  brokerSettingsOf,
  nameOf,
  PUBSUB,
  settingsOf,
  UPSTREAMS,
} from "./settings.ts";

const typed = {
  endpointUrl: "opc.tcp://press:4840",
  securityPolicy: "Basic256Sha256",
  user: `o'neill "x"`,
  password: "horse",
};

it("writes the upstream as the configuration has it, without its password", () => {
  const settings = settingsOf("Press", typed);
  expect(JSON.parse(asJson(UPSTREAMS, settings))).toEqual({
    Upstreams: [
      {
        Name: "Press",
        EndpointUrl: "opc.tcp://press:4840",
        SecurityPolicy: "Basic256Sha256",
        User: `o'neill "x"`,
        Password: "THE PASSWORD",
      },
    ],
  });
  expect(asJson(UPSTREAMS, settings) + asYaml(UPSTREAMS, settings) + asArguments(UPSTREAMS, settings, 0)).not.toContain(
    "horse",
  );
});

it("writes YAML in which a text stays a text", () => {
  expect(asYaml(UPSTREAMS, settingsOf("on: yes # x", { endpointUrl: "opc.tcp://a" }))).toBe(
    'config:\n  Upstreams:\n    - Name: "on: yes # x"\n      EndpointUrl: "opc.tcp://a"',
  );
});

it("writes arguments that a shell hands on as they are", () => {
  expect(asArguments(UPSTREAMS, settingsOf("It's", { endpointUrl: "opc.tcp://press:4840" }), 3)).toBe(
    "'--Upstreams:3:Name=It'\\''s' \\\n--Upstreams:3:EndpointUrl=opc.tcp://press:4840",
  );
});

it.each([
  ["opc.tcp://press:4840/x", "press"],
  ["opc.tcp://[2001:db8::1]:4840", "[2001:db8::1]"],
  ["nonsense", "Upstream"],
  [undefined, "Upstream"],
])("the first name of %s is %s", (url, name) => expect(nameOf(url)).toBe(name));

it("finds the files, and the number of the next upstream", () => {
  const value = (key: string, origin: string, source?: string) => ({ key, origin, source }) as ConfigurationValue;
  const files = filesOf([
    value("Upstreams:0:Name", "file", "/etc/gateway/appsettings.json"),
    value("Upstreams:0:EndpointUrl", "file", "/etc/gateway/appsettings.json"),
    value("Upstreams:4:Name", "command line"),
    value("PubSub:Connections:0:Address", "environment"),
    value("Simulator:Tags", "default"),
  ]);
  expect(files.files).toEqual(["/etc/gateway/appsettings.json"]);
  expect(nextOf(files, UPSTREAMS)).toBe(5);
  expect(nextOf(files, PUBSUB)).toBe(1);
  expect(nextOf(filesOf([]), UPSTREAMS)).toBe(0);
});

it("writes a broker as the configuration has it, without its password", () => {
  const broker = { address: "mqtts://plant:8883", user: "gateway", password: "horse", mqttVersion: "3.1.1" };
  const settings = brokerSettingsOf("Cloud", broker);
  expect(JSON.parse(asJson(PUBSUB, settings))).toEqual({
    PubSub: {
      Connections: [
        {
          Name: "Cloud",
          Address: "mqtts://plant:8883",
          User: "gateway",
          MqttVersion: "3.1.1",
          Password: "THE PASSWORD",
        },
      ],
    },
  });
  expect(asYaml(PUBSUB, settings)).toContain(
    'config:\n  PubSub:\n    Connections:\n      - Name: "Cloud"\n        Addr',
  );
  expect(asArguments(PUBSUB, settings, 1)).toContain("--PubSub:Connections:1:Address=mqtts://plant:8883");
});

it.each([
  ["mqtts://plant:8883", "plant"],
  ["mqtt://[::1]", "[::1]"],
  [undefined, "Broker"],
])("the first name of %s is %s", (address, name) => expect(brokerNameOf(address)).toBe(name));
