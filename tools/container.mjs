// Takes the steps of the Dockerfile without Docker: each stage in a plain folder, its base image replaced by this
// machine's own SDK or runtime. Starts the last stage as Docker would: as its user, with a read-only root, its volumes
// and an empty /tmp; there is no shell in it. Needs root, for mounts that it alone sees.
//   node tools/container.mjs build FOLDER [NAME=VALUE …]      build arguments of the Dockerfile
//   node tools/container.mjs run FOLDER [--env NAME=VALUE] [--entry] [ARGUMENT …]
// --entry: the arguments replace the ENTRYPOINT, as for a HEALTHCHECK. The volumes are kept in FOLDER/volumes.
// Left out: network and process namespaces, cgroups, seccomp, and the base image's own files.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const context = path.resolve(import.meta.dirname, "..");
const arch = { x64: "amd64", arm64: "arm64" }[process.arch];
// What the images of dotnet set; PATH is for the runtime's place below.
const OF_BASE = {
  PATH: "/dotnet:/usr/local/bin:/usr/bin:/bin", APP_UID: "1654", DOTNET_RUNNING_IN_CONTAINER: "true", ASPNETCORE_HTTP_PORTS: "8080",
};
const LIBRARIES = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ssl", "/usr/share/zoneinfo"];
const MACHINE = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc"];

const [command, to, ...more] = process.argv.slice(2);
if (!["build", "run"].includes(command) || !to) fail("usage: container.mjs build|run FOLDER …");
if (process.getuid() !== 0) fail("root is needed, for mounts");
const folder = path.resolve(to);
if (command === "build") build(more);
else run(more);

function fail(text) {
  console.error(text);
  process.exit(1);
}

/** [instruction, flags, text] of each, with lines that end in a backslash joined. */
function instructions() {
  return fs.readFileSync(path.join(context, "Dockerfile"), "utf8").split("\n")
    .filter((line) => !/^\s*#/.test(line)).join("\n").replace(/\\\n/g, " ").split("\n")
    .filter((line) => line.trim()).map((line) => {
      const [, name, flags, text] = /^(\w+)\s+((?:--\S+\s+)*)(.*)$/.exec(line);
      return [name, Object.fromEntries(flags.split(/\s+/).filter(Boolean).map((one) => one.slice(2).split("="))), text];
    });
}

function build(given) {
  fs.rmSync(folder, { recursive: true, force: true });
  const args = { BUILDARCH: arch, TARGETARCH: arch, ...pairs(given) };
  let stage = null;
  for (const [name, flags, text] of instructions()) {
    const value = stage && ["RUN", "CMD", "HEALTHCHECK"].includes(name) ? text : expand(text, stage);
    if (name === "FROM") stage = begin(value, path.join(folder, `stage${stage ? stage.number + 1 : 0}`), stage);
    else if (name === "ARG") takeArgument(stage, value, args);
    else if (name === "ENV") Object.assign(stage.env, pairs(value.split(/\s+/)));
    else if (name === "WORKDIR") fs.mkdirSync(inside(stage, stage.directory = value), { recursive: true });
    else if (name === "COPY") copy(stage, flags, value);
    else if (name === "RUN") execute(stage, value);
    else if (name === "USER") stage.user = value;
    else if (name === "VOLUME") stage.volumes = JSON.parse(value);
    else if (name === "ENTRYPOINT") stage.entry = JSON.parse(value);
    else if (name === "HEALTHCHECK") stage.health = JSON.parse(/CMD (.*)$/.exec(value)[1]);
    else if (!["EXPOSE", "STOPSIGNAL"].includes(name)) fail(`the Dockerfile has ${name}, which is not known here`);
  }
  for (const volume of stage.volumes)
    fs.cpSync(inside(stage, volume), path.join(folder, "volumes", volume), { recursive: true });
  own(path.join(folder, "volumes"), stage.user);
  fs.writeFileSync(path.join(folder, "image.json"), JSON.stringify({ ...stage, before: undefined }, null, 2));
  const bytes = sizeOf(stage.root);
  console.log(`built ${stage.root}: ${(bytes / 1e6).toFixed(1)} MB above the base image`);
}

function begin(text, root, before) {
  const [image, , name] = text.split(/\s+/);
  fs.mkdirSync(root, { recursive: true });
  // An SDK's image and that of Node.js have a whole system; the chiselled runtime has libraries only.
  return {
    number: before ? before.number + 1 : 0, name, root, before, env: { ...OF_BASE }, arguments: {}, directory: "/",
    machine: /\/sdk:|^node:/.test(image), user: "0", volumes: [], entry: [],
  };
}

function takeArgument(stage, text, args) {
  const [name, preset] = text.split("=");
  stage.arguments[name] = args[name] ?? preset ?? "";
}

function copy(stage, flags, text) {
  const [from, target] = text.split(/\s+/);
  const place = inside(stage, path.resolve(stage.directory, target));
  let source = stage.before;
  while (source && source.name !== flags.from) source = source.before;
  if (flags.from && !source) fail(`there is no stage ${flags.from}`);
  const origin = source ? inside(source, from) : path.resolve(context, from);
  fs.cpSync(origin, place, { recursive: true, filter: source ? undefined : (file) => !isIgnored(file) });
  if (flags.chown) own(place, expand(flags.chown, stage).split(":")[0]);
}

/** The patterns of .dockerignore that it has: names anywhere, and names at the top. */
function isIgnored(file) {
  if (file.startsWith(folder)) return true;
  const parts = path.relative(context, file).split(path.sep);
  return fs.readFileSync(path.join(context, ".dockerignore"), "utf8").split("\n").filter(Boolean).some((pattern) =>
    (pattern.startsWith("**/") ? parts.includes(pattern.slice(3)) : parts[0] === pattern));
}

function execute(stage, text) {
  // What this user has restored already, and how his npm finds its registry.
  const home = [".nuget", ".npm", ".npmrc"].map((name) => [path.join(process.env.HOME, name), `/root/${name}`])
    .filter(([place]) => fs.existsSync(place));
  const script = mounts(stage.root, stage, home)
    + `mount -t proc proc "$ROOT"/proc\nexec unshare -R "$ROOT" -w ${quote(stage.directory)} sh -c ${quote(text)}`;
  // One compiler for all projects: it ends with the namespace of its processes.
  const env = {
    ...process.env, UseSharedCompilation: "true", ...stage.env, ...stage.arguments, HOME: "/root", ROOT: stage.root,
  };
  const done = spawnSync("unshare", ["-mpf", "--kill-child", "sh", "-ec", script], { stdio: "inherit", env });
  if (done.status !== 0) fail(`RUN ended with ${done.status}: ${text}`);
}

function run(given) {
  const image = JSON.parse(fs.readFileSync(path.join(folder, "image.json"), "utf8"));
  const env = { ...image.env, ROOT: image.root };
  while (given[0] === "--env") Object.assign(env, pairs(given.splice(0, 2).slice(1)));
  const line = given[0] === "--entry" ? given.slice(1) : [...image.entry, ...given];
  const script = mounts(image.root, image, image.volumes.map((one) => [path.join(folder, "volumes", one), one]))
    + 'mount -o remount,bind,ro "$ROOT"\n'
    + `exec setpriv --no-new-privs unshare -R "$ROOT" -w ${quote(image.directory)} -G ${image.user} -S ${image.user} `
    + line.map(quote).join(" ");
  const child = spawn("unshare", ["-m", "sh", "-ec", script], { stdio: "inherit", env: { ...env, PATH: "/dotnet:" + process.env.PATH } });
  console.log(`process ${child.pid}`);
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code) => process.exit(code ?? 1));
}

/** Shell lines: the machine's folders read-only in the root, its devices, an empty /tmp, and what is given. */
function mounts(root, { machine }, given) {
  const dotnet = path.dirname(fs.realpathSync(spawnSync("sh", ["-c", "command -v dotnet"], { encoding: "utf8" }).stdout.trim()));
  const lines = ['mount --bind "$ROOT" "$ROOT"'];
  const at = (place) => path.join(root, place);
  const bind = (from, place, options) => {
    if (fs.statSync(from).isDirectory()) fs.mkdirSync(at(place), { recursive: true });
    else if (!fs.existsSync(at(place))) writeEmpty(at(place));
    lines.push(`mount --rbind ${quote(from)} "$ROOT"${quote(place)}`);
    if (options) lines.push(`mount -o remount,bind,${options} "$ROOT"${quote(place)}`);
  };
  for (const place of machine ? MACHINE : LIBRARIES) {
    if (!fs.existsSync(place)) continue;
    fs.mkdirSync(path.dirname(at(place)), { recursive: true });
    if (!fs.lstatSync(place).isSymbolicLink()) bind(place, place, "ro");
    else if (!fs.lstatSync(at(place), { throwIfNoEntry: false })) fs.symlinkSync(fs.readlinkSync(place), at(place));
  }
  bind(dotnet, "/dotnet", "ro");
  for (const place of ["/dev", "/proc", "/sys"]) bind(place, place);
  fs.mkdirSync(at("/tmp"), { recursive: true });
  lines.push('mount -t tmpfs -o mode=1777 tmpfs "$ROOT"/tmp');
  for (const [from, place] of given) bind(from, place);
  return lines.join("\n") + "\n";
}

function writeEmpty(file) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, "");
}

function inside(stage, place) {
  return path.join(stage.root, place);
}

function expand(text, stage) {
  const known = stage ? { ...stage.env, ...stage.arguments } : { BUILDPLATFORM: `linux/${arch}` };
  return text.replace(/\$\{?(\w+)\}?/g, (_whole, name) => known[name] ?? "");
}

function pairs(list) {
  return Object.fromEntries(list.filter(Boolean).map((one) => {
    const end = one.indexOf("=");
    return [one.slice(0, end), one.slice(end + 1)];
  }));
}

function own(place, user) {
  const done = spawnSync("chown", ["-R", `${user}:${user}`, place]);
  if (done.status !== 0) fail(`chown ${user} ${place}`);
}

function quote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function sizeOf(place) {
  const facts = fs.lstatSync(place);
  return facts.isDirectory()
    ? fs.readdirSync(place).reduce((sum, name) => sum + sizeOf(path.join(place, name)), 0)
    : facts.size;
}
