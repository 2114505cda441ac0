/** Insertions, deletions, replacements and swaps of neighbours between two words (optimal string alignment). */
export function editDistance (left: string, right: string): number {
  let before: number[] = []
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1]
      let least = Math.min((previous[column] as number) + 1, (current[column - 1] as number) + 1, (previous[column - 1] as number) + (isSame ? 0 : 1))
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) least = Math.min(least, (before[column - 2] as number) + 1)
      current.push(least)
    }
    before = previous
    previous = current
  }
  return previous[right.length] as number
}
