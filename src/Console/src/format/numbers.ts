const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const oneDigit = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const twoDigits = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });

/** An amount as the reader's locale writes it: three digits below a hundred, whole above. */
export function amount(value: number | undefined | null): string {
  if (value === undefined || value === null || !Number.isFinite(value)) return "–";
  if (Number.isInteger(value)) return whole.format(value);
  return Math.abs(value) < 100 ? twoDigits.format(value) : whole.format(value);
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

export function bytes(value: number | undefined | null): string {
  if (value === undefined || value === null) return "–";
  let at = 0;
  let rest = value;
  while (rest >= 1024 && at < UNITS.length - 1) {
    rest /= 1024;
    at++;
  }
  return `${at === 0 ? whole.format(rest) : oneDigit.format(rest)} ${UNITS[at]}`;
}

/** "1 client", "214 clients". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${whole.format(count)} ${count === 1 ? one : many}`;
}
