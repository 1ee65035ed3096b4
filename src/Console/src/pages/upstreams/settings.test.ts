import { expect, it } from "vitest";
import type { ConfigurationValue } from "../../api/types.ts";
import { filesOf } from "../configuration/files.ts";
import { asArguments, asJson, asYaml, nameOf, settingsOf } from "./settings.ts";

const typed = {
  endpointUrl: "opc.tcp://press:4840",
  securityPolicy: "Basic256Sha256",
  user: `o'neill "x"`,
  password: "horse",
};

it("writes the upstream as the configuration has it, without its password", () => {
  const settings = settingsOf("Press", typed);
  expect(JSON.parse(asJson(settings))).toEqual({
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
  expect(asJson(settings) + asYaml(settings) + asArguments(settings, 0)).not.toContain("horse");
});

it("writes YAML in which a text stays a text", () => {
  expect(asYaml(settingsOf("on: yes # x", { endpointUrl: "opc.tcp://a" }))).toBe(
    'config:\n  Upstreams:\n    - Name: "on: yes # x"\n      EndpointUrl: "opc.tcp://a"',
  );
});

it("writes arguments that a shell hands on as they are", () => {
  expect(asArguments(settingsOf("It's", { endpointUrl: "opc.tcp://press:4840" }), 3)).toBe(
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
  expect(
    filesOf([
      value("Upstreams:0:Name", "file", "/etc/gateway/appsettings.json"),
      value("Upstreams:0:EndpointUrl", "file", "/etc/gateway/appsettings.json"),
      value("Upstreams:4:Name", "command line"),
      value("Simulator:Tags", "default"),
    ]),
  ).toEqual({ files: ["/etc/gateway/appsettings.json"], nextUpstream: 5 });
  expect(filesOf([])).toEqual({ files: [], nextUpstream: 0 });
});
