// Brings the gateway's keys into the Helm chart: `config` of deploy/helm/values.schema.json, those that a running
// gateway takes over into files/live-keys.txt, and the table of values into its README.md. From the repository's root:
//   dotnet run --project src/Gateway -- config schema --without-secrets | node tools/chart-schema.mjs
import { readFileSync, writeFileSync } from 'node:fs';

const schemaFile = 'deploy/helm/values.schema.json';
const readmeFile = 'deploy/helm/README.md';
const liveFile = 'deploy/helm/files/live-keys.txt';

const schema = JSON.parse(readFileSync(schemaFile, 'utf8'));
const { $schema, ...config } = JSON.parse(readFileSync(0, 'utf8'));
schema.properties.config = { description: "the gateway's appsettings.json, key by key", ...config };
writeFileSync(schemaFile, JSON.stringify(schema, null, 2) + '\n');

// The shortest paths below which every key is live; a list is one.
function isLive(value) {
  const owner = value.items ?? value;
  if (!owner.properties) return Boolean(owner['x-live']);
  const below = Object.values(owner.properties);
  // The operator's own names.
  if (owner.additionalProperties) below.push(owner.additionalProperties);
  return below.every(isLive);
}
function livePaths(path, value) {
  return Object.entries(value.properties ?? {}).flatMap(([name, child]) =>
    isLive(child) ? [[...path, name].join(':')] : livePaths([...path, name], child));
}
writeFileSync(liveFile, livePaths([], config).join('\n') + '\n');

const rows = [];
function add(path, value) {
  if (path === 'config' || !value.properties) {
    const choices = (value.enum ?? []).filter(one => one).map(one => `\`${one}\``).join(', ');
    rows.push(`| \`${path}\` | ${value.description || choices} | ${[].concat(value.type).join(' or ')} |`);
    return;
  }
  for (const [name, child] of Object.entries(value.properties)) add(path ? `${path}.${name}` : name, child);
}
add('', schema);

const [start, end] = ['<!-- values -->', '<!-- end of values -->'];
const readme = readFileSync(readmeFile, 'utf8');
const table = ['| Value | Meaning | Type |', '| --- | --- | --- |', ...rows].join('\n');
writeFileSync(readmeFile, readme.slice(0, readme.indexOf(start) + start.length) + `\n${table}\n` + readme.slice(readme.indexOf(end)));
