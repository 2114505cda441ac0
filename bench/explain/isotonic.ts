export interface Point {
  x: number
  y: number
}

/** Points of a block of an isotonic regression at least, so that a knot is more than chance. */
const leastBlock = 60

/**
 * Knots of a curve that never falls: the blocks of an isotonic regression (pool adjacent violators; Barlow,
 * Bartholomew, Bremner and Brunk 1972) with their mean x and y, small ones joined with the next.
 */
export function isotonicKnots (points: readonly Point[]): Array<[number, number]> {
  const blocks: Array<{ x: number, y: number, count: number }> = []
  for (const { x, y } of [...points].sort((left, right) => left.x - right.x)) {
    blocks.push({ x, y, count: 1 })
    for (let last = blocks.length - 1; last > 0; last--) {
      const [before, block] = [blocks[last - 1], blocks[last]]
      if (before === undefined || block === undefined ||
        (before.y / before.count < block.y / block.count && before.count >= leastBlock)) break
      blocks.splice(last - 1, 2, { x: before.x + block.x, y: before.y + block.y, count: before.count + block.count })
    }
  }
  return blocks.map(({ x, y, count }) => [Math.round(1000 * x / count) / 1000, Math.round(1000 * y / count) / 1000])
}
