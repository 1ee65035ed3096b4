import fs from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin, Rollup } from "vite";

/** Bytes that a browser loads until the first page stands: the document, its scripts and its styles. */
const FIRST_LOAD_BUDGET = 150 * 1024;

/** Loaded lazily, as every page, but without it the first load shows nothing. */
const FIRST_PAGE = "OverviewPage";

/** Compressed once, at build: the gateway sends them as they are. Below this nothing is gained. */
const MIN_COMPRESSED = 512;

/** Lists what the build has made, adds compressed forms, and fails when the first load is too large. */
export function shippedFiles(): Plugin {
  let folder = "";
  let first: string[] = [];
  return {
    name: "shipped-files",
    apply: "build",
    configResolved(config) {
      folder = path.resolve(config.root, config.build.outDir);
    },
    writeBundle(_options, bundle) {
      first = firstLoad(Object.values(bundle));
    },
    closeBundle() {
      const files = fs
        .readdirSync(folder, { recursive: true, encoding: "utf8" })
        .map((name) => name.replaceAll("\\", "/"))
        .filter((name) => fs.statSync(path.join(folder, name)).isFile() && !/\.(br|gz)$/.test(name))
        .sort();
      for (const name of files) compress(path.join(folder, name));
      const bytes = first.reduce((sum, name) => sum + sentBytes(path.join(folder, name)), 0);
      if (bytes > FIRST_LOAD_BUDGET)
        throw new Error(`the first load takes ${bytes} bytes, more than ${FIRST_LOAD_BUDGET}`);
      fs.writeFileSync(path.join(folder, "first-load.json"), JSON.stringify({ bytes, budget: FIRST_LOAD_BUDGET }));
      // Last: the gateway's build takes its time as that of the whole.
      fs.writeFileSync(path.join(folder, "files.txt"), `${files.join("\n")}\n`);
    },
  };
}

function compress(file: string) {
  const bytes = fs.readFileSync(file);
  if (bytes.length < MIN_COMPRESSED) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  fs.writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
  fs.writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}

/** The entry and the first page, with all that they import. */
function firstLoad(files: (Rollup.OutputChunk | Rollup.OutputAsset)[]): string[] {
  const chunks = new Map(files.filter((one) => one.type === "chunk").map((one) => [one.fileName, one]));
  const found = new Set(["index.html", "favicon.svg"]);
  const add = (chunk: Rollup.OutputChunk | undefined) => {
    if (!chunk || found.has(chunk.fileName)) return;
    found.add(chunk.fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
    for (const name of chunk.imports) add(chunks.get(name));
  };
  for (const chunk of chunks.values()) if (chunk.isEntry || chunk.name === FIRST_PAGE) add(chunk);
  return [...found];
}

/** By gzip: browsers take the smaller form over TLS only. */
function sentBytes(file: string): number {
  return fs.statSync(fs.existsSync(`${file}.gz`) ? `${file}.gz` : file).size;
}
