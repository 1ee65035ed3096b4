import type { ComponentChildren } from "preact";

export type Fact = [name: string, value: ComponentChildren];

/** Names with their values. Those without a value are left out. */
export function Facts({ of }: { of: Fact[] }) {
  return (
    <dl class="facts">
      {of
        .filter(([, value]) => value !== undefined && value !== null && value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
