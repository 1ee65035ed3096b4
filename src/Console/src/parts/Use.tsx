import { amount } from "../format/numbers.ts";

interface Props {
  use: number;
  most: number;
  format?: (value: number) => string;
}

/** How much of a limit is used: the numbers, and a bar beside them. */
export function Use({ use, most, format = amount }: Props) {
  const share = most > 0 ? Math.min(1, use / most) : 0;
  const color = share >= 0.95 ? "var(--fault)" : share >= 0.8 ? "var(--warning)" : "var(--accent)";
  return (
    <span class="use">
      <span class="nowrap">
        {format(use)} of {format(most)}
      </span>
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="10" rx="3" fill="var(--none-ground)" />
        <rect width={share * 100} height="10" rx="3" fill={color} />
      </svg>
    </span>
  );
}
