// Brings docs/settings.md up to date:
//   dotnet run --project src/Gateway -- config docs | node tools/settings-page.mjs
import { readFileSync, writeFileSync } from 'node:fs';

const file = 'docs/settings.md';
const page = readFileSync(file, 'utf8');
writeFileSync(file, page.slice(0, page.indexOf('| Key |')) + readFileSync(0, 'utf8'));
