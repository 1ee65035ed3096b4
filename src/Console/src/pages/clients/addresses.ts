/** An address without its port. */
export function hostOf(address: string): string {
  const match = /^(?:\[(.+)\]|([^:]+))(?::\d+)?$/.exec(address);
  return match?.[1] ?? match?.[2] ?? address;
}
