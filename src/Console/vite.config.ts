import { defineConfig } from "vitest/config";
import { shippedFiles } from "./build/shippedFiles.ts";

export default defineConfig({
  build: {
    outDir: "dist",
    // The policy forbids styles and data in the page: every file is a file.
    assetsInlineLimit: 0,
    // Its check would be a script in the page.
    modulePreload: { polyfill: false },
    target: ["chrome111", "firefox114", "safari16.4"],
    reportCompressedSize: false,
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [shippedFiles()],
  server: { proxy: { "/api": "http://localhost:8080", "/metrics": "http://localhost:8080" } },
  test: { environment: "happy-dom", include: ["src/**/*.test.{ts,tsx}"] },
});
