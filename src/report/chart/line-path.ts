import { at } from './mark.ts'

type Point = readonly [x: number, y: number]
type Range = readonly [x: number, low: number, high: number]

/** Of each list null is a gap. */
export type Points = ReadonlyArray<Point | null>
export type Ranges = ReadonlyArray<Range | null>

/** The path of a line. A point between two gaps becomes a dash that goes `alone` to each side. */
export function linePath (points: Points, alone = 1.5): string {
  return piecesOf(points, alone).map((piece) => pathOf(thinned(piece))).join('')
}

/** The outline of an area; a range between two gaps becomes a block that goes `alone` to each side. */
export function areaPath (ranges: Ranges, alone = 4): string {
  return piecesOf(ranges, alone).map((piece) => {
    const low = thinned(piece.map(([x, low]): Point => [x, low]))
    const high = thinned(piece.map(([x, , high]): Point => [x, high]))
    return pathOf([...high, ...low.toReversed()])
  }).join('')
}

function pathOf (points: readonly Point[]): string {
  return `M${points.map(([x, y]) => `${at(x)} ${at(y)}`).join('L')}`
}

/** What follows each other without a gap, two of them at least. */
function piecesOf<One extends readonly [number, ...number[]]> (all: ReadonlyArray<One | null>, alone: number): One[][] {
  const pieces: One[][] = []
  for (const [index, one] of all.entries()) {
    if (one === null) continue
    if (index === 0 || all[index - 1] === null) pieces.push([])
    pieces.at(-1)?.push(one)
  }
  const moved = ([x, ...rest]: One, by: number) => [x + by, ...rest] as unknown as One
  return pieces.map((piece) =>
    piece.length > 1 ? piece : piece.flatMap((one) => [moved(one, -alone), moved(one, alone)])
  )
}

/** Of the points over one unit of width the first, the lowest, the highest and the last: the line looks the same. */
function thinned (points: readonly Point[]): readonly Point[] {
  const width = (points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0)
  if (points.length < 2 * width) return points
  const columns: Array<[first: Point, lowest: Point, highest: Point, last: Point]> = []
  for (const point of points) {
    const column = columns.at(-1)
    if (column === undefined || Math.floor(column[0][0]) !== Math.floor(point[0])) {
      columns.push([point, point, point, point])
    } else {
      if (point[1] < column[1][1]) column[1] = point
      if (point[1] > column[2][1]) column[2] = point
      column[3] = point
    }
  }
  return columns.flatMap((column) => [...new Set(column)].sort((a, b) => a[0] - b[0]))
}
