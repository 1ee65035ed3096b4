// Draws what each dashboard shows, as an SVG, from a Prometheus that has scraped a gateway: there is no Grafana here.
//   node tools/dashboard-pictures.mjs http://127.0.0.1:9090 FOLDER [--minutes=10] [--instance=REGEX]
// A query that Prometheus refuses is an error. Prints the panels without data, one a line.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const dashboards = path.resolve(import.meta.dirname, "../deploy/helm/files/dashboards");
const [server, folder, ...options] = process.argv.slice(2);
if (!server || !folder) {
  console.error("usage: dashboard-pictures.mjs PROMETHEUS FOLDER [--minutes=N] [--instance=REGEX]");
  process.exit(1);
}

const option = (name, preset) => options.find((one) => one.startsWith(`--${name}=`))?.split("=", 2)[1] ?? preset;
const minutes = Number(option("minutes", "10"));
const instance = option("instance", ".*");
const end = Math.floor(Date.now() / 1000);
const start = end - minutes * 60;
const step = Math.max(1, Math.round((minutes * 60) / 150));

const COLOURS = ["#2f6fb5", "#c2571a", "#3b8a3e", "#8a4fae", "#b3262e", "#8c6d1f", "#2a8c8c", "#b54c86"];
const [WIDTH, UNIT, GAP, HEAD] = [1200, 26, 10, 26];
const MOST_SERIES = 8;

mkdirSync(folder, { recursive: true });
for (const file of readdirSync(dashboards).sort()) {
  const dashboard = JSON.parse(readFileSync(path.join(dashboards, file), "utf8"));
  writeFileSync(path.join(folder, file.replace(".json", ".svg")), await draw(file, dashboard));
}

async function draw(file, dashboard) {
  const rows = Math.max(...dashboard.panels.map((one) => one.gridPos.y + one.gridPos.h));
  const height = HEAD * 2 + rows * UNIT;
  const parts = [text(12, 24, `${dashboard.title}: ${dashboard.description}`, 16, "bold")];
  for (const panel of dashboard.panels) {
    const { x, y, w, h } = panel.gridPos;
    const box = { x: (x * WIDTH) / 24 + GAP / 2, y: HEAD + 12 + y * UNIT, w: (w * WIDTH) / 24 - GAP, h: h * UNIT - GAP / 2 };
    if (panel.type === "row") {
      parts.push(text(box.x + 4, box.y + 17, panel.title, 13, "bold"));
      continue;
    }

    const series = (await Promise.all(panel.targets.map(seriesOf))).flat();
    if (series.length === 0) console.log(`${file}: ${panel.title}`);
    parts.push(`<rect x="${n(box.x)}" y="${n(box.y)}" width="${n(box.w)}" height="${n(box.h)}" rx="3" fill="#fff" stroke="#ccd"/>`);
    parts.push(text(box.x + 8, box.y + 16, panel.title, 12, "bold"));
    parts.push(panel.type === "stat" ? number(box, series, panel) : chart(box, series, panel));
  }

  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" fill="#223">`
    + `<rect width="${WIDTH}" height="${height}" fill="#f4f5f8"/>\n${parts.join("\n")}\n</svg>\n`;
}

async function seriesOf(target) {
  const query = target.expr.replaceAll("$instance", instance).replaceAll("$__rate_interval", `${Math.max(15, step * 4)}s`);
  const url = `${server}/api/v1/query_range?` + new URLSearchParams({ query, start, end, step });
  const answer = await (await fetch(url)).json();
  if (answer.status !== "success") throw new Error(`${query}: ${answer.error}`);
  return answer.data.result
    .map((one) => ({
      name: target.legendFormat.replace(/\{\{(\w+)\}\}/g, (_all, label) => one.metric[label] ?? ""),
      points: one.values.map(([at, value]) => [at, Number(value)]).filter(([, value]) => Number.isFinite(value)),
    }))
    .filter((one) => one.points.length > 0);
}

function number(box, series, panel) {
  const values = series.slice(0, 3).map((one) => format(one.points.at(-1)[1], panel.fieldConfig.defaults.unit));
  return text(box.x + box.w / 2, box.y + box.h * 0.7, values.join("  ") || "no data", 26, "bold", "middle");
}

function chart(box, all, panel) {
  if (all.length === 0) return text(box.x + box.w / 2, box.y + box.h / 2, "no data", 12, "normal", "middle", "#889");
  const unit = panel.fieldConfig.defaults.unit;
  const last = (one) => one.points.at(-1)[1];
  const series = all.toSorted((a, b) => last(b) - last(a)).slice(0, MOST_SERIES);
  const top = Math.max(...series.flatMap((one) => one.points.map(([, value]) => value))) || 1;
  const area = { x: box.x + 56, y: box.y + 26, w: box.w - 68, h: box.h - 62 };
  const xOf = (at) => area.x + ((at - start) / (end - start)) * area.w;
  const yOf = (value) => area.y + area.h - (Math.max(0, value) / top) * area.h;
  const parts = [0, 0.5, 1].flatMap((share) => [
    `<line x1="${n(area.x)}" x2="${n(area.x + area.w)}" y1="${n(yOf(share * top))}" y2="${n(yOf(share * top))}" stroke="#e3e5ee"/>`,
    text(area.x - 5, yOf(share * top) + 3, format(share * top, unit), 9, "normal", "end", "#667"),
  ]);
  series.forEach((one, i) => {
    const colour = COLOURS[i % COLOURS.length];
    const points = one.points.map(([at, value]) => `${n(xOf(at))},${n(yOf(value))}`).join(" ");
    parts.push(`<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="1.4"/>`);
  });
  parts.push(legend(box, series, all.length - series.length));
  return parts.join("\n");
}

function legend(box, series, more) {
  const names = series.map((one, i) => `<tspan fill="${COLOURS[i % COLOURS.length]}">● ${escape(cut(one.name, 30))}  </tspan>`);
  const lines = [names.slice(0, 4), names.slice(4)].filter((line) => line.length > 0);
  if (more > 0) lines.at(-1).push(`<tspan>and ${more} more</tspan>`);
  return lines
    .map((line, i) => `<text x="${n(box.x + 8)}" y="${n(box.y + box.h - 6 - (lines.length - 1 - i) * 12)}" font-size="9">${line.join("")}</text>`)
    .join("\n");
}

function format(value, unit) {
  if (unit === "percentunit") return `${n(value * 100)} %`;
  if (unit === "s" && value > 0 && value < 1) return value < 0.001 ? `${n(value * 1e6)} µs` : `${n(value * 1e3)} ms`;
  const suffix = { s: " s", d: " d", bytes: "B", Bps: "B/s", ops: "/s" }[unit] ?? "";
  for (const [factor, prefix] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]])
    if (Math.abs(value) >= factor && unit !== "s" && unit !== "d") return `${n(value / factor)} ${prefix}${suffix.trim()}`;
  return `${n(value)}${suffix}`;
}

function text(x, y, content, size, weight, anchor = "start", fill = "#223") {
  return `<text x="${n(x)}" y="${n(y)}" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}" fill="${fill}">${escape(content)}</text>`;
}

function n(value) {
  return Number(value.toPrecision(4)).toString();
}

function cut(value, length) {
  return value.length > length ? value.slice(0, length - 1) + "…" : value;
}

function escape(value) {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
