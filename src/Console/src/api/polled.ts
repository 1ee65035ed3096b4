import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "./client.ts";
import { ApiError } from "./problem.ts";

export interface Polled<T> {
  /** The last answer, also when a later request has failed. */
  data: T | null;
  error: unknown;
  /** Asks now. */
  refresh: () => void;
}

/** Asks a path again and again, one request at a time, and not while the page is hidden. A null path asks nothing. */
export function usePolled<T>(path: string | null, everyMs: number): Polled<T> {
  return usePolling<T>(path, everyMs, (signal) => get<T>(path ?? "", { signal }));
}

/** As usePolled, with a request of its own. Another key begins anew. */
export function usePolling<T>(
  key: string | null,
  everyMs: number,
  ask: (signal: AbortSignal) => Promise<T>,
): Polled<T> {
  const [state, setState] = useState<{ data: T | null; error: unknown }>({ data: null, error: null });
  const latest = useRef(ask);
  latest.current = ask;
  const again = useRef<() => void>(() => {});
  useEffect(() => {
    setState({ data: null, error: null });
    if (key === null) return;
    const loop = startLoop(
      everyMs,
      (signal) => latest.current(signal),
      (data) => setState({ data, error: null }),
      (error) => setState((before) => ({ data: before.data, error })),
    );
    again.current = loop.askNow;
    return loop.stop;
  }, [key, everyMs]);
  return { ...state, refresh: () => again.current() };
}

function startLoop<T>(
  everyMs: number,
  ask: (signal: AbortSignal) => Promise<T>,
  take: (data: T) => void,
  fail: (error: unknown) => void,
): { askNow: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let control = new AbortController();
  let isStopped = false;

  const run = async () => {
    // An answer to something else may ask for it when its page has gone.
    if (isStopped) return;
    clearTimeout(timer);
    control.abort();
    let pauseMs = everyMs;
    const mine = new AbortController();
    control = mine;
    try {
      const data = await ask(mine.signal);
      if (!mine.signal.aborted) take(data);
    } catch (error) {
      if (!mine.signal.aborted) fail(error);
      pauseMs = Math.max(everyMs, pauseOf(error));
    }
    if (!mine.signal.aborted && !document.hidden) timer = setTimeout(run, pauseMs);
  };
  const onVisible = () => {
    if (!document.hidden) void run();
  };

  document.addEventListener("visibilitychange", onVisible);
  void run();
  return {
    askNow: () => void run(),
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      control.abort();
      document.removeEventListener("visibilitychange", onVisible);
    },
  };
}

/** A gateway that is busy says when to come again. */
function pauseOf(error: unknown): number {
  return error instanceof ApiError && error.retryAfterSeconds !== null ? error.retryAfterSeconds * 1_000 : 0;
}
