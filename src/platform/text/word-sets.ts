/** Named lists of words. Each list is lines of words, so that people can read it. */
export function wordSets<Name extends string> (
  lists: Readonly<Record<Name, readonly string[]>>
): Record<Name, ReadonlySet<string>> {
  return Object.fromEntries(
    Object.entries<readonly string[]>(lists).map(([name, lines]) => [name, new Set(lines.join(' ').split(' '))])
  ) as unknown as Record<Name, ReadonlySet<string>>
}
