import { useRef } from "preact/hooks";
import { get } from "../../api/client.ts";
import { type Polled, usePolling } from "../../api/polled.ts";
import type { Overview, Sample } from "../../api/types.ts";
import { joined } from "./samples.ts";

/** The last ten minutes, and what comes: each request asks for what is new alone. */
export function useSamples(): Polled<Sample[]> {
  const kept = useRef<Sample[]>([]);
  return usePolling<Sample[]>("overview", 2_000, async (signal) => {
    const last = kept.current.at(-1)?.sequence;
    const path = last === undefined ? "/overview" : `/overview?since=${last}`;
    kept.current = joined(kept.current, await get<Overview>(path, { signal }));
    return kept.current;
  });
}
