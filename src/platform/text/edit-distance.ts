/**
 * The number of insertions, deletions, replacements and swaps of neighbours between two words (optimal string
 * alignment). Infinity if it exceeds `most`; words that differ show that after a few letters.
 */
export function editDistance (left: string, right: string, most = Infinity): number {
  if (Math.abs(left.length - right.length) > most) return Infinity
  let before: number[] = []
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  let current = new Array<number>(right.length + 1).fill(Infinity)
  for (let row = 1; row <= left.length; row++) {
    // Cells further from the diagonal need more edits than `most`.
    const first = Math.max(1, row - most)
    const last = Math.min(right.length, row + most)
    current[first - 1] = first === 1 ? row : Infinity
    let leastOfRow = current[first - 1] as number
    for (let column = first; column <= last; column++) {
      const isSame = left.charCodeAt(row - 1) === right.charCodeAt(column - 1)
      let least = Math.min((previous[column] as number) + 1, (current[column - 1] as number) + 1,
        (previous[column - 1] as number) + (isSame ? 0 : 1))
      if (row > 1 && column > 1 && left.charCodeAt(row - 1) === right.charCodeAt(column - 2) &&
        left.charCodeAt(row - 2) === right.charCodeAt(column - 1)) {
        least = Math.min(least, (before[column - 2] as number) + 1)
      }
      current[column] = least
      if (least < leastOfRow) leastOfRow = least
    }
    if (leastOfRow > most) return Infinity
    if (last < right.length) current[last + 1] = Infinity
    const free = before.length === 0 ? new Array<number>(right.length + 1).fill(Infinity) : before
    before = previous
    previous = current
    current = free
  }
  const distance = previous[right.length] as number
  return distance > most ? Infinity : distance
}
