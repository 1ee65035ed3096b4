/** What was typed into the form of a test, without what was left empty. */
export type Typed = Record<string, string>;

export type Settings = [name: string, value: string][];

/** The lists of the configuration that a tested connection belongs into. */
export const UPSTREAMS = "Upstreams";
export const PUBSUB = "PubSub:Connections";

type Names = [from: string, to: string][];

/** A key of the form and its name in the configuration, in the order of the documentation. */
const UPSTREAM_NAMES: Names = [
  ["endpointUrl", "EndpointUrl"],
  ["securityPolicy", "SecurityPolicy"],
  ["securityMode", "SecurityMode"],
  ["user", "User"],
];

const BROKER_NAMES: Names = [
  ["address", "Address"],
  ["user", "User"],
  ["caPath", "CaPath"],
  ["mqttVersion", "MqttVersion"],
];

/** Nobody should read it off a screen. */
const SECRET = "THE PASSWORD";

/** The same upstream as the gateway's configuration has it. */
export function settingsOf(name: string, typed: Typed): Settings {
  return settingsBy(UPSTREAM_NAMES, name, typed);
}

/** The same broker as the gateway's configuration has it. */
export function brokerSettingsOf(name: string, typed: Typed): Settings {
  return settingsBy(BROKER_NAMES, name, typed);
}

function settingsBy(names: Names, name: string, typed: Typed): Settings {
  const found: Settings = [["Name", name]];
  for (const [from, to] of names) {
    const value = typed[from];
    if (value) found.push([to, value]);
  }
  if (typed.password) found.push(["Password", SECRET]);
  return found;
}

/** One element of a list in appsettings.json. */
export function asJson(list: string, settings: Settings): string {
  const element: unknown = [Object.fromEntries(settings)];
  return JSON.stringify(
    list.split(":").reduceRight((inner, section) => ({ [section]: inner }), element),
    null,
    2,
  );
}

/** The same for the values of the Helm chart. A text in quotation marks is the same in JSON and YAML. */
export function asYaml(list: string, settings: Settings): string {
  const sections = ["config", ...list.split(":")];
  const heads = sections.map((section, depth) => `${"  ".repeat(depth)}${section}:`);
  const margin = "  ".repeat(sections.length);
  const lines = settings.map(
    ([name, value], index) => `${margin}${index === 0 ? "- " : "  "}${name}: ${quoted(value)}`,
  );
  return [...heads, ...lines].join("\n");
}

/** The same for a command line. */
export function asArguments(list: string, settings: Settings, index: number): string {
  return settings.map(([name, value]) => forShell(`--${list}:${index}:${name}=${value}`)).join(" \\\n");
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function forShell(text: string): string {
  return /^[\w:=./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The host of an address, as a first name. */
export function nameOf(endpointUrl: string | undefined): string {
  return /^opc\.\w+:\/\/(\[[^\]]*\]|[^:/]+)/i.exec(endpointUrl ?? "")?.[1] ?? "Upstream";
}

/** The same of a broker. */
export function brokerNameOf(address: string | undefined): string {
  return /^mqtts?:\/\/(\[[^\]]*\]|[^:/]+)/i.exec(address ?? "")?.[1] ?? "Broker";
}
