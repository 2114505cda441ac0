import { uniform } from './random.ts'

/** `classes`: of the label; each lies around a place of its own. */
export interface TableOptions {
  rows: number
  columns: number
  classes: number
}

/** Yields a table whose label follows from its numbers, as CSV by row, the header first; the same on every machine. */
export function* generateTable ({ rows, columns, classes }: TableOptions): Generator<string> {
  const random = uniform(0x9E3779B9)
  const places = Array.from({ length: classes }, () => Array.from({ length: columns }, () => 100 * random()))
  yield [...Array.from({ length: columns }, (_, column) => `x${column}`), 'label'].join(',') + '\n'
  for (let row = 0; row < rows; row++) {
    const label = row % classes
    const numbers = (places[label] ?? []).map((place) => (place + 40 * (random() - 0.5)).toFixed(2))
    yield [...numbers, `class ${label}`].join(',') + '\n'
  }
}
