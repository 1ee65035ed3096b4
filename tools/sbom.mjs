// Prints what the gateway consists of besides its own code, as CycloneDX 1.6: the NuGet packages of its lock file with
// version and hash. Without a time and a random number, so that one commit has one SBOM.
//   node tools/sbom.mjs > sbom.json
// What comes by the runtime's image (.NET, OpenSSL, glibc) is in that image's own SBOM.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const read = (file) => readFileSync(path.join(root, file), "utf8");
const properties = read("Directory.Build.props");
const version = /<Version>(.*)<\/Version>/.exec(properties)[1];
const frameworks = JSON.parse(read("src/Gateway/packages.lock.json")).dependencies;
const entries = new Map(Object.values(frameworks).flatMap((one) => Object.entries(one)));
const names = new Map([...entries.keys()].map((name) => [name.toLowerCase(), name]));
const isPackage = (name) => entries.get(name).type !== "Project";
// Of the build alone: analyzers.
const isOfBuild = (name) => properties.includes(`Include="${name}" PrivateAssets="all"`);
const refOf = (name) => (isPackage(name) ? `pkg:nuget/${name}@${entries.get(name).resolved}` : `project:${name}`);
const needs = (name) => Object.keys(entries.get(name).dependencies ?? {}).map((one) => refOf(names.get(one.toLowerCase()))).sort();

const application = { type: "application", "bom-ref": "gateway", name: "opc-ua-gateway", version };
const components = [...entries.keys()].sort().map((name) => ({
  type: "library", "bom-ref": refOf(name), name,
  version: isPackage(name) ? entries.get(name).resolved : version,
  ...(isPackage(name) ? {
    scope: isOfBuild(name) ? "excluded" : "required",
    hashes: [{ alg: "SHA-512", content: Buffer.from(entries.get(name).contentHash, "base64").toString("hex") }],
    purl: refOf(name),
  } : {}),
}));
const direct = [...entries.keys()].filter((name) => entries.get(name).type !== "Transitive" || !isPackage(name));
const dependencies = [
  { ref: "gateway", dependsOn: direct.map(refOf).sort() },
  ...[...entries.keys()].sort().map((name) => ({ ref: refOf(name), dependsOn: needs(name) })),
];
const hash = createHash("sha256").update(JSON.stringify([application, components])).digest("hex");
const serialNumber = "urn:uuid:" + hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-5$3-8$4-$5");
console.log(JSON.stringify({
  bomFormat: "CycloneDX", specVersion: "1.6", serialNumber, version: 1, metadata: { component: application }, components, dependencies,
}, null, 2));
