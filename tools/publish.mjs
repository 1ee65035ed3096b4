// Publishes the gateway as folders that can be copied to a machine, each with its SBOM, and prints their sizes.
//   node tools/publish.mjs FOLDER [KIND …]      all kinds, or: portable, linux-x64, linux-arm64
// portable: needs the ASP.NET Core runtime 10 of the machine, on either architecture; the machine code for a quick
//   start (AheadOfTime.targets) is this machine's, the other one compiles at the start.
// linux-x64, linux-arm64: self-contained, with the runtime in it; started by ./Gateway.Gateway.
// The packages are those of src/Gateway/packages.lock.json: other versions or hashes are an error.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const project = path.join(root, "src", "Gateway");
const KINDS = ["portable", "linux-x64", "linux-arm64"];
const own = { x64: "linux-x64", arm64: "linux-arm64" }[process.arch];
// Beside the lock of the repository, which has no runtime in it.
const LOCK = path.join("obj", "publish.lock.json");

const [folder, ...asked] = process.argv.slice(2);
const wrong = asked.filter((kind) => !KINDS.includes(kind));
if (!folder || wrong.length > 0) fail(`usage: publish.mjs FOLDER [${KINDS.join("|")} …]`);
mkdirSync(folder, { recursive: true });
const sbom = run("node", [path.join(root, "tools", "sbom.mjs")]);
for (const kind of asked.length > 0 ? asked : KINDS) {
  const to = path.resolve(folder, kind);
  publish(kind, to);
  writeFileSync(path.join(to, "sbom.json"), sbom);
  console.log(`${kind}: ${(sizeOf(to) / 1e6).toFixed(1)} MB in ${to}`);
}

function publish(kind, to) {
  const common = [
    "publish", project, "-c", "Release", "-o", to, "--nologo", "-v", "q", "-p:RunAnalyzers=false",
  ];
  if (kind === "portable") {
    run("dotnet", [...common, "-p:UseAppHost=false", "-p:RestoreLockedMode=true"]);
    return;
  }

  run("dotnet", [
    ...common, "-r", kind, "-p:SelfContained=true", `-p:AheadOfTime=${kind === own}`,
    `-p:NuGetLockFilePath=${LOCK}`, "-p:RestoreLockedMode=false",
  ]);
  const [locked, used] = [path.join(project, "packages.lock.json"), path.join(project, LOCK)].map(packagesOf);
  for (const [name, hash] of used)
    if (locked.get(name) !== hash) fail(`${name} is not the package of packages.lock.json`);
}

/** Name and version of each package: its hash. */
function packagesOf(file) {
  const frameworks = Object.values(JSON.parse(readFileSync(file, "utf8")).dependencies);
  return new Map(frameworks.flatMap((one) => Object.entries(one))
    .filter(([, entry]) => entry.type !== "Project")
    .map(([name, entry]) => [`${name} ${entry.resolved}`, entry.contentHash]));
}

function run(program, line) {
  const done = spawnSync(program, line, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (done.status !== 0) fail(`${program} ${line.join(" ")}\n${done.stdout}${done.stderr}`);
  return done.stdout;
}

function sizeOf(place) {
  const facts = lstatSync(place);
  return facts.isDirectory()
    ? readdirSync(place).reduce((sum, name) => sum + sizeOf(path.join(place, name)), 0)
    : facts.size;
}

function fail(text) {
  console.error(text);
  process.exit(1);
}
