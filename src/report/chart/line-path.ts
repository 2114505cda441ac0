import { at } from './mark.ts'

type Value = number | null

/** null is a gap. */
export type Points = ReadonlyArray<readonly [x: number, y: Value]>
export type Ranges = ReadonlyArray<readonly [x: number, low: Value, high: Value]>
type Place = (value: number) => number

/** The path of a line. A point between two gaps becomes a dash that extends `alone` to each side. */
export function linePath (points: Points, x: Place, y: Place, alone = 1.5): string {
  return piecesOf(points.map(([at, value]) => value === null ? null : [x(at), y(value)]), alone).map(pathOf).join('')
}

/** The outline of an area. A range between two gaps becomes a block that extends `alone` to each side. */
export function areaPath (ranges: Ranges, x: Place, y: Place, alone = 4): string {
  const placed = ranges.map(([at, low, high]) => low === null || high === null ? null : [x(at), y(low), y(high)])
  return piecesOf(placed, alone).map((piece) => {
    const edge = (end: 1 | 2) => piece.map((one) => [one[0] as number, one[end] as number])
    return pathOf([...edge(2), ...edge(1).reverse()])
  }).join('')
}

function pathOf (points: ReadonlyArray<readonly number[]>): string {
  return `M${points.map(([x = 0, y = 0]) => `${at(x)} ${at(y)}`).join('L')}`
}

/** Runs of at least two neighbours without a gap. */
function piecesOf (
  all: ReadonlyArray<readonly number[] | null>,
  alone: number
): Array<ReadonlyArray<readonly number[]>> {
  const pieces: Array<Array<readonly number[]>> = []
  for (const [index, one] of all.entries()) {
    if (one === null) continue
    if (index === 0 || all[index - 1] === null) pieces.push([])
    pieces.at(-1)?.push(one)
  }
  const moved = ([x = 0, ...rest]: readonly number[], by: number) => [x + by, ...rest]
  return pieces.map(
    (piece) => piece.length > 1 ? piece : piece.flatMap((one) => [moved(one, -alone), moved(one, alone)])
  )
}
