import { signal } from "@preact/signals";
import { NoAnswerError, problemOf } from "./problem.ts";

const ROOT = "/api/v1";

/** The Authorization of every request. It lives in this variable alone: no storage, no cookie, no URL has it. */
let authorization: string | null = null;

/** What to do when the gateway no longer takes the login. */
let refused: () => void = () => {};

/** Since when the gateway does not answer, or null. */
export const lostSince = signal<Date | null>(null);

export function setAuthorization(value: string | null): void {
  authorization = value;
}

export function onRefused(handler: () => void): void {
  refused = handler;
}

export interface Options {
  method?: string;
  body?: BodyInit;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** A request to a path below /api/v1. Throws ApiError and NoAnswerError. */
export async function request(path: string, options: Options = {}): Promise<Response> {
  return fetchAnswer(ROOT + path, options);
}

export async function fetchAnswer(url: string, options: Options): Promise<Response> {
  const headers = new Headers(options.headers);
  const sent = authorization;
  if (authorization) headers.set("Authorization", authorization);
  let answer: Response;
  try {
    // Without what the browser itself may know: its own logins would be sent beside the page's, and it would ask for
    // one in a window of its own.
    answer = await fetch(url, { ...options, headers, credentials: "omit", cache: "no-store" });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    lostSince.value ??= new Date();
    throw new NoAnswerError();
  }
  lostSince.value = null;
  if (answer.ok) return answer;
  // The late answer to a login that has been replaced meanwhile says nothing about the one of now.
  if (answer.status === 401 && sent === authorization) refused();
  throw await problemOf(answer);
}

export async function get<T>(path: string, options: { signal?: AbortSignal } = {}): Promise<T> {
  const answer = await request(path, options);
  return JSON.parse(await wholeOf(answer, options.signal)) as T;
}

/** The body to its end. Throws NoAnswerError where the connection breaks off in the middle of it. */
async function wholeOf(answer: Response, signal?: AbortSignal): Promise<string> {
  try {
    return await answer.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    lostSince.value ??= new Date();
    throw new NoAnswerError();
  }
}

/** Sends JSON, or nothing; returns the JSON of the answer, or null where there is none. */
export async function send<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T | null> {
  const options: Options = signal ? { method, signal } : { method };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers = { "Content-Type": "application/json" };
  }
  const answer = await request(path, options);
  const text = await wholeOf(answer, signal);
  return text ? (JSON.parse(text) as T) : null;
}
