import { expect, it } from "vitest";
import { ApiError, inWords, NoAnswerError, problemOf } from "./problem.ts";

it("reads the gateway's problem and when to come again", async () => {
  const body = JSON.stringify({ title: "Too busy", status: 503, statusCode: "BadServerTooBusy", detail: "wait" });
  const headers = { "Content-Type": "application/problem+json", "Retry-After": "3" };
  const error = await problemOf(new Response(body, { status: 503, headers }));
  expect(inWords(error)).toEqual({ what: "Too busy: wait.", remedy: "Try again in 3 s." });
});

it("has words for what is no problem document", async () => {
  const error = await problemOf(new Response("<html>", { status: 502, headers: { "Content-Type": "text/html" } }));
  expect(inWords(error).what).toBe("The gateway answered 502.");
});

it("says what a user can do", () => {
  expect(inWords(new ApiError({ title: "No", status: 403 })).remedy).toContain("roles");
  expect(inWords(new NoAnswerError()).remedy).toContain("network");
  expect(inWords(new Error("x")).remedy).toContain("Reload");
});
