import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'

export const resultsFolder = join('bench', 'results')

/** What a number must reach; compared with the row's ratio where it has one, else with its figure. */
export interface Bar {
  atLeast?: number
  atMost?: number
  below?: number
}

export interface Measurement {
  what: string
  figure: number
  unit: string
  /** Measured in the same run, in the same unit. */
  peer?: { name: string, figure: number }
  /** Figure over peer; of a speed-up, peer over figure. */
  ratio?: number
  gate?: Bar
  aim?: Bar
}

export interface ResultRow extends Measurement {
  /** Absent where there is no gate. */
  pass?: boolean
}

export interface BenchResult {
  bench: string
  command: string
  machine: string
  date: string
  rows: ResultRow[]
}

/** A measured comparison: the ratio is figure over peer. */
export function comparison (row: Omit<Measurement, 'ratio'> & { peer: { name: string, figure: number } }): Measurement {
  return { ...row, ratio: row.figure / row.peer.figure }
}

/** A measured comparison of times, as the number of times that ours is faster. */
export function speedup (row: Omit<Measurement, 'ratio'> & { peer: { name: string, figure: number } }): Measurement {
  return { ...row, ratio: row.peer.figure / row.figure }
}

export function judge (row: Measurement): ResultRow {
  if (!row.gate) return row
  const value = row.ratio ?? row.figure
  const { atLeast = -Infinity, atMost = Infinity, below = Infinity } = row.gate
  return { ...row, pass: value >= atLeast && value <= atMost && value < below }
}

export function writeResult (bench: string, rows: Measurement[], command = `make bench-${bench}`): BenchResult {
  const result: BenchResult = {
    bench,
    command,
    machine: describeMachine(),
    date: new Date().toISOString().slice(0, 10),
    rows: rows.map(judge).map(roundRow)
  }
  mkdirSync(resultsFolder, { recursive: true })
  writeFileSync(join(resultsFolder, `${bench}.json`), JSON.stringify(result, null, 2) + '\n')
  return result
}

export function readResult (path: string): BenchResult {
  return JSON.parse(readFileSync(path, 'utf8')) as BenchResult
}

function roundRow (row: ResultRow): ResultRow {
  const { figure, peer, ratio } = row
  return {
    ...row,
    figure: round(figure),
    ...(peer === undefined ? {} : { peer: { ...peer, figure: round(peer.figure) } }),
    ...(ratio === undefined ? {} : { ratio: round(ratio) })
  }
}

/** Two runs do not agree on more digits than these; counts stay whole. */
function round (value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(4))
}

function describeMachine (): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  const kernel = process.platform === 'linux'
    ? readFileSync('/proc/sys/kernel/osrelease', 'utf8').trim()
    : process.platform
  return `${cpus().length} x ${model}, ${
    Math.round(totalmem() / 2 ** 30)
  } GiB, ${process.platform} ${kernel}, Node ${process.versions.node}`
}
