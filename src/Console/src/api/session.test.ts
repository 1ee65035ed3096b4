import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { plot, plotted, series } from "../pages/nodes/plotted.ts";
import { get } from "./client.ts";
import { ApiError } from "./problem.ts";
import { begin, endedBecause, endIfOver, logInByPassword, logInByToken, logOut, me, watchLogin } from "./session.ts";

const anna = { name: "anna", kind: "password", roles: ["Observer"], permissions: [], demo: false };

function answer(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
}

describe("a login", () => {
  const asked = vi.fn<(url: string, options: RequestInit) => Promise<Response>>();
  const sent = (): RequestInit => asked.mock.lastCall?.[1] ?? {};
  const authorization = () => new Headers(sent().headers).get("Authorization");

  beforeEach(() => {
    vi.stubGlobal("fetch", asked);
    asked.mockImplementation(async () => answer(200, anna));
  });

  afterEach(() => {
    logOut(null);
    vi.unstubAllGlobals();
    asked.mockReset();
  });

  it("is sent in the header alone, without what the browser knows", async () => {
    await logInByPassword("änna", "pass:word", 15);
    await get("/info");
    expect(authorization()).toBe(`Basic ${btoa("\u00c3\u00a4nna:pass:word")}`);
    expect(sent().credentials).toBe("omit");
    expect(asked.mock.lastCall?.[0]).toBe("/api/v1/info");
    expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])).not.toContain("word");
  });

  it("may be a token", async () => {
    await logInByToken(" a.b.c\n", 15);
    expect(authorization()).toBe("Bearer a.b.c");
  });

  it("that is refused leaves nothing behind", async () => {
    asked.mockImplementation(async () => answer(401, { title: "no", status: 401 }));
    await expect(logInByPassword("anna", "wrong", 15)).rejects.toThrow(ApiError);
    asked.mockImplementation(async () => answer(200, anna));
    await get("/info");
    expect(authorization()).toBeNull();
    expect(me.value).toBeNull();
  });

  it("ends after its time without input, and never when that was chosen", async () => {
    await logInByPassword("anna", "horse", 15);
    endIfOver(Date.now() + 14 * 60_000);
    expect(me.value?.name).toBe("anna");
    endIfOver(Date.now() + 16 * 60_000);
    expect(me.value).toBeNull();
    expect(endedBecause.value).toContain("15 minutes");
    await logInByPassword("anna", "horse", null);
    endIfOver(Date.now() + 600 * 60_000);
    expect(me.value?.name).toBe("anna");
  });

  it("ends with its token", async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    asked.mockImplementation(async () => answer(200, { ...anna, kind: "token", expiresAt }));
    await logInByToken("a.b.c", null);
    endIfOver(Date.now() + 61_000);
    expect(endedBecause.value).toContain("token");
  });

  it("is not ended by the late answer to another one", async () => {
    watchLogin();
    await logInByPassword("anna", "old", 15);
    let refuse: () => void = () => {};
    asked.mockImplementationOnce(() => new Promise((resolve) => (refuse = () => resolve(answer(401, {})))));
    const late = get("/info");
    await logInByPassword("anna", "new", 15);
    refuse();
    await expect(late).rejects.toThrow(ApiError);
    expect(me.value?.name).toBe("anna");
    asked.mockImplementation(async () => answer(401, {}));
    await expect(get("/info")).rejects.toThrow(ApiError);
    expect(me.value).toBeNull();
  });

  it("leaves nothing that its user has plotted to the next one", async () => {
    await logInByPassword("anna", "horse", 15);
    plot({ node: "ns=2;i=1", name: "secret" });
    series.take([{ node: "ns=2;i=1", status: "Good", value: 1 }], 0);
    logOut(null);
    expect(plotted.value).toEqual([]);
    expect(series.aligned(["ns=2;i=1"]).times).toEqual([]);
  });

  it("is not asked for where the gateway needs none", async () => {
    asked.mockImplementation(async () => answer(200, { ...anna, kind: "anonymous", demo: true }));
    await begin();
    expect(me.value?.demo).toBe(true);
    expect(authorization()).toBeNull();
  });
});
