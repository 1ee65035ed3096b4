import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "./client.ts";
import { EventParser } from "./events.ts";
import { ApiError } from "./problem.ts";
import type { Value } from "./types.ts";

const AGAIN_MS = 2_000;

/** Watches nodes by a stream: fetch and not EventSource, because that sends no Authorization. It comes back by itself
 * until it is aborted. Not for an answer that will not change: a refusal. */
export async function watchValues(
  nodes: string[],
  intervalMs: number,
  signal: AbortSignal,
  take: (values: Value[]) => void,
  fail: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const answer = await request("/stream", {
        method: "POST",
        body: JSON.stringify({ nodes, interval: intervalMs }),
        headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
        signal,
      });
      fail(null);
      await readAll(answer, take);
    } catch (error) {
      if (signal.aborted) return;
      fail(error);
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) return;
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

async function readAll(answer: Response, take: (values: Value[]) => void): Promise<void> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new EventParser();
  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) return;
    for (const event of parser.take(piece.value))
      if (event.event === "values") take((JSON.parse(event.data) as { values: Value[] }).values);
  }
}

export interface Live {
  values: Map<string, Value>;
  error: unknown;
}

/** The newest value of each node. */
export function useLive(nodes: string[], intervalMs: number, onValues?: (values: Value[]) => void): Live {
  const [live, setLive] = useState<Live>({ values: new Map(), error: null });
  const handler = useRef(onValues);
  handler.current = onValues;
  const key = nodes.join("\n");
  useEffect(() => {
    setLive({ values: new Map(), error: null });
    if (nodes.length === 0) return;
    const control = new AbortController();
    const take = (values: Value[]) => {
      handler.current?.(values);
      setLive((before) => ({
        ...before,
        values: new Map([...before.values, ...values.map((one) => [one.node, one] as const)]),
      }));
    };
    void watchValues(nodes, intervalMs, control.signal, take, (error) => setLive((before) => ({ ...before, error })));
    return () => control.abort();
  }, [key, intervalMs]);
  return live;
}
