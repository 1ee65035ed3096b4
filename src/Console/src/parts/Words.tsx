/** A text of the gateway: what stands between backticks is a name. */
export function Words({ text }: { text: string }) {
  return (
    <>
      {text.split("`").map((part, index) => {
        const key = `${index}${part}`;
        return index % 2 === 1 ? <code key={key}>{part}</code> : <span key={key}>{part}</span>;
      })}
    </>
  );
}
