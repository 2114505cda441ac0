/** Groups neighbours up to this many bytes; an item with more is a group of its own. */
export function* byBytes<T extends { bytes: number }> (items: Iterable<T>, maxBytes: number): Generator<T[]> {
  let group: T[] = []
  let bytes = 0
  for (const item of items) {
    if (group.length > 0 && bytes + item.bytes > maxBytes) {
      yield group
      group = []
      bytes = 0
    }
    group.push(item)
    bytes += item.bytes
  }
  if (group.length > 0) yield group
}
