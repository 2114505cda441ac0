import { editDistance } from '../../../platform/edit-distance.ts'

/** Most edits to a name that counts as near. */
const mostEdits = 3

/** `once`, `twice`: the letters that a name has, and those that it has more than once. */
interface SameLength<T> {
  names: string[]
  values: T[]
  once: Int32Array
  twice: Int32Array
}

/**
 * Names by spelling: the letters of each are known before, which tells nearly all names apart from a wanted one, and at
 * once.
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

  /** What is near, and by how many edits, in no order: at most 3, and fewer of a short name. */
  near (wanted: string): Array<{ value: T, distance: number }> {
    const most = Math.max(1, Math.min(mostEdits, Math.floor(wanted.length / 3)))
    const [once, twice] = lettersOf(wanted)
    const near: Array<{ value: T, distance: number }> = []
    for (let length = wanted.length - most; length <= wanted.length + most; length++) {
      const group = this.#byLength.get(length)
      if (group === undefined) continue
      const { names, values } = group
      for (let index = 0; index < names.length; index++) {
        // Each letter that the other does not have is an edit of its own.
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

/** A bit for each letter, and for each that comes again; those of other scripts share some. */
function lettersOf (name: string): [once: number, twice: number] {
  let [once, twice] = [0, 0]
  for (let index = 0; index < name.length; index++) {
    const letter = 1 << (name.charCodeAt(index) & 31)
    twice |= once & letter
    once |= letter
  }
  return [once, twice]
}

/** The number of bits that are set: in pairs, in fours, in bytes, and all. */
function bitsOf (bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0F0F0F0F, 0x01010101) >>> 24
}
