/** From when to when, in seconds since 1970. */
export type View = [from: number, to: number];

/** Less than a second shows nothing more. */
const LEAST_SECONDS = 1;

/** Half of it: around its middle, but where it goes on with time, its end. */
export function zoomedIn([from, to]: View, isLive: boolean): View {
  const seconds = Math.max(LEAST_SECONDS, (to - from) / 2);
  if (isLive) return [to - seconds, to];
  const middle = (from + to) / 2;
  return [middle - seconds / 2, middle + seconds / 2];
}

/** Twice as much; null where that is no less than what is shown without zoom. */
export function zoomedOut([from, to]: View, most: number): View | null {
  const seconds = (to - from) * 2;
  if (seconds >= most) return null;
  const middle = (from + to) / 2;
  return [middle - seconds / 2, middle + seconds / 2];
}

/** Half a view earlier (-1) or later (1). */
export function moved([from, to]: View, direction: 1 | -1): View {
  const step = (direction * (to - from)) / 2;
  return [from + step, to + step];
}
