/** What was typed into the form of a test, without what was left empty. */
export type Typed = Record<string, string>;

/** A key of the form and its name in the configuration, in the order of the documentation. */
const NAMES: [string, string][] = [
  ["endpointUrl", "EndpointUrl"],
  ["securityPolicy", "SecurityPolicy"],
  ["securityMode", "SecurityMode"],
  ["user", "User"],
];

/** Nobody should read it off a screen. */
const SECRET = "THE PASSWORD";

/** The same upstream as the gateway's configuration has it. */
export function settingsOf(name: string, typed: Typed): [name: string, value: string][] {
  const found: [string, string][] = [["Name", name]];
  for (const [from, to] of NAMES) {
    const value = typed[from];
    if (value) found.push([to, value]);
  }
  if (typed.password) found.push(["Password", SECRET]);
  return found;
}

/** One element of the list Upstreams in appsettings.json. */
export function asJson(settings: [string, string][]): string {
  return JSON.stringify({ Upstreams: [Object.fromEntries(settings)] }, null, 2);
}

/** The same for the values of the Helm chart. A text in quotation marks is the same in JSON and YAML. */
export function asYaml(settings: [string, string][]): string {
  const lines = settings.map(([name, value], index) => `${index === 0 ? "    - " : "      "}${name}: ${quoted(value)}`);
  return ["config:", "  Upstreams:", ...lines].join("\n");
}

/** The same for a command line. */
export function asArguments(settings: [string, string][], index: number): string {
  return settings.map(([name, value]) => forShell(`--Upstreams:${index}:${name}=${value}`)).join(" \\\n");
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
