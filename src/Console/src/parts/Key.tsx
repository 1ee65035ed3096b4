/** The name of a limit or key, that breaks between its words where there is no room. */
export function Key({ name }: { name: string }) {
  return (
    <code class="key">
      {name.split(/(?<=[a-z0-9:])(?=[A-Z])/).map((part, index) => (
        <span key={index}>
          {part}
          <wbr />
        </span>
      ))}
    </code>
  );
}
