/** The rows in which every word of the search stands somewhere, in any case of letters. */
export function matching<T>(rows: T[], search: string, textsOf: (row: T) => (string | undefined)[]): T[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = textsOf(row).filter(Boolean).join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
