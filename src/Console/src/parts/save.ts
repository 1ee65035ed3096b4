/** Hands a file to the browser's downloads. */
export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers begin to read it after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
