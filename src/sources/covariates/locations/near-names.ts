import { editDistance } from '../../../platform/text/edit-distance.ts'

/** The most edits between names that count as near. */
const mostEdits = 3

/** `once`, `twice`: sets of the letters that occur in a name, and of those that occur more than once. */
interface SameLength<T> {
  names: string[]
  values: T[]
  once: Int32Array
  twice: Int32Array
}

/**
 * Finds names with a similar spelling. The letters of each name are computed in advance, which rules out nearly all
 * names at once.
 */
export class NearNames<T> {
  readonly #byLength = new Map<number, SameLength<T>>()

  constructor (named: Iterable<readonly [string, T]>) {
    const groups = new Map<number, Array<readonly [string, T]>>()
    for (const one of named) {
      const group = groups.get(one[0].length)
      if (group === undefined) groups.set(one[0].length, [one])
      else group.push(one)
    }
    for (const [length, group] of groups) {
      const names = group.map(([name]) => name)
      this.#byLength.set(length, {
        names,
        values: group.map(([, value]) => value),
        once: Int32Array.from(names, (name) => lettersOf(name)[0]),
        twice: Int32Array.from(names, (name) => lettersOf(name)[1])
      })
    }
  }

  /** Near names and their number of edits, in no particular order: at most 3 edits, fewer for a short name. */
  near (wanted: string): Array<{ value: T, distance: number }> {
    const most = Math.max(1, Math.min(mostEdits, Math.floor(wanted.length / 3)))
    const [once, twice] = lettersOf(wanted)
    const near: Array<{ value: T, distance: number }> = []
    for (let length = wanted.length - most; length <= wanted.length + most; length++) {
      const group = this.#byLength.get(length)
      if (group === undefined) continue
      const { names, values } = group
      for (let index = 0; index < names.length; index++) {
        // Each letter that the other name lacks takes at least one edit.
        const [theirOnce, theirTwice] = [group.once[index] as number, group.twice[index] as number]
        if (bitsOf(once & ~theirOnce) + bitsOf(twice & ~theirTwice) > most) continue
        if (bitsOf(theirOnce & ~once) + bitsOf(theirTwice & ~twice) > most) continue
        const distance = editDistance(wanted, names[index] as string, most)
        if (distance <= most) near.push({ value: values[index] as T, distance })
      }
    }
    return near
  }
}

/** One bit per letter, and one per repeated letter; letters of other scripts share bits. */
function lettersOf (name: string): [once: number, twice: number] {
  let [once, twice] = [0, 0]
  for (let index = 0; index < name.length; index++) {
    const letter = 1 << (name.charCodeAt(index) & 31)
    twice |= once & letter
    once |= letter
  }
  return [once, twice]
}

/** Counts the set bits: in pairs, in fours, in bytes, then all. */
function bitsOf (bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0F0F0F0F, 0x01010101) >>> 24
}
