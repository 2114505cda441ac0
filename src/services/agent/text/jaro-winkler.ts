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
  const jaro =
    (matched.length / left.length + matched.length / right.length + (matched.length - moved) / matched.length) / 3
  let prefix = 0
  while (prefix < 4 && prefix < left.length && left[prefix] === right[prefix]) prefix++
  return jaro + prefix * 0.1 * (1 - jaro)
}
