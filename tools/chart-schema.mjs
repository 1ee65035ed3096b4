// Brings the gateway's keys into the Helm chart: `config` of deploy/helm/values.schema.json, and the table of values in
// its README.md. From the repository's root:
//   dotnet run --project src/Gateway -- config schema --without-secrets | node tools/chart-schema.mjs
import { readFileSync, writeFileSync } from 'node:fs';

const schemaFile = 'deploy/helm/values.schema.json';
const readmeFile = 'deploy/helm/README.md';

const schema = JSON.parse(readFileSync(schemaFile, 'utf8'));
const { $schema, ...config } = JSON.parse(readFileSync(0, 'utf8'));
schema.properties.config = { description: "the gateway's appsettings.json, key by key", ...config };
writeFileSync(schemaFile, JSON.stringify(schema, null, 2) + '\n');

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
