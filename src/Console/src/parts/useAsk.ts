import { useEffect, useRef, useState } from "preact/hooks";

export interface Ask<T> {
  data: T | null;
  error: unknown;
  isBusy: boolean;
  /** Asks, and forgets what was asked before: its late answer does not come in the place of this one's. */
  ask: (work: (signal: AbortSignal) => Promise<T>) => Promise<void>;
  clear: () => void;
}

/** A question that a person asks by a button. It ends with the part of the page that asked. */
export function useAsk<T>(): Ask<T> {
  const [state, setState] = useState<{ data: T | null; error: unknown; isBusy: boolean }>({
    data: null,
    error: null,
    isBusy: false,
  });
  const control = useRef<AbortController | null>(null);
  useEffect(() => () => control.current?.abort(), []);
  const begin = (): AbortSignal => {
    control.current?.abort();
    control.current = new AbortController();
    return control.current.signal;
  };
  return {
    ...state,
    ask: async (work) => {
      const signal = begin();
      setState({ data: null, error: null, isBusy: true });
      try {
        const data = await work(signal);
        if (!signal.aborted) setState({ data, error: null, isBusy: false });
      } catch (error) {
        if (!signal.aborted) setState({ data: null, error, isBusy: false });
      }
    },
    clear: () => {
      begin();
      setState({ data: null, error: null, isBusy: false });
    },
  };
}
