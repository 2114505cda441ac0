/** 0 to 1: Jaro's similarity with Winkler's bonus for an equal beginning of up to four characters. */
export function jaroWinkler (left: string, right: string): number {
  if (left === right) return 1
  const reach = Math.max(0, Math.floor(Math.max(left.length, right.length) / 2) - 1)
  const taken = new Array<boolean>(right.length).fill(false)
  const matched: string[] = []
  for (let index = 0; index < left.length; index++) {
    const last = Math.min(right.length - 1, index + reach)
    for (let other = Math.max(0, index - reach); other <= last; other++) {
      if (taken[other] === true || left[index] !== right[other]) continue
      taken[other] = true
      matched.push(left[index] as string)
      break
    }
  }
  if (matched.length === 0) return 0
  const opposite = [...right].filter((_, index) => taken[index])
  const moved = matched.filter((character, index) => character !== opposite[index]).length / 2
  const jaro = (matched.length / left.length + matched.length / right.length + (matched.length - moved) / matched.length) / 3
  let prefix = 0
  while (prefix < 4 && prefix < left.length && left[prefix] === right[prefix]) prefix++
  return jaro + prefix * 0.1 * (1 - jaro)
}

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
