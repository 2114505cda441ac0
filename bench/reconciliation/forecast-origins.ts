import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hierarchyPath } from '../data.ts'
import { runPython } from '../peers/python.ts'
import { buildExample } from '../rust-example.ts'
import { fileName, type HierarchySet, type Method } from './sets.ts'

/** The default; `best` takes five times as long. */
export const preset = 'balanced'
/** 0.05 to 0.95: what a score is made of. */
const levels = Array.from({ length: 19 }, (_, index) => String((index + 1) * 5 / 100)).join(',')

export interface RollingOptions {
  python: string
  /** Must not exist. */
  folder: string
  set: HierarchySet
  mostOrigins: number
  methods: readonly Method[]
  /**
   * Backtests that give the residuals of a method that needs them. Base forecasts are made at as many origins before
   * the first one, too: the windows as the peer needs them.
   */
  windows: number
  log: (line: string) => void
}

export interface RollingForecasts {
  origins: number
  nodes: number
  /** Folders with forecast.csv and forecast.parquet. */
  reconciled: string[]
}

/**
 * Forecasts at rolling origins, each in `folder`/NN: base/ has every node as a series of its own, ours/METHOD what the
 * engine makes of the bottom series with reconciliation. The base forecasts of later folders are the residual windows
 * of the earlier ones.
 */
export async function forecastOrigins (
  { python, folder, set, mostOrigins, methods, windows, log }: RollingOptions
): Promise<RollingForecasts> {
  const run = promisify(execFile)
  const [plain, hierarchical] = [buildExample('tabcast-forecast', 'forecast'),
    buildExample('tabcast-forecast', 'reconcile_panel')]
  const threads = String(availableParallelism())
  const [columns, horizon] = [set.columns.join(','), String(set.horizon)]
  const cut = await runPython<{ origins: number, nodes: number, bottom: number, left_out: number }>(python, [
    join('bench', 'reconciliation', 'cut_origins.py'),
    hierarchyPath(set.file),
    columns,
    horizon,
    String(mostOrigins),
    String(windows),
    folder
  ])
  log(`${set.title}: ${JSON.stringify(cut)}`)
  const reconciled: string[] = []
  const seen = new Set<string>()
  for (let origin = 1; origin <= cut.origins + windows; origin++) {
    const here = join(folder, String(origin).padStart(2, '0'))
    const base = join(here, 'base')
    mkdirSync(base)
    await run(plain, [join(here, 'nodes.parquet'), horizon, preset, threads, base, levels, '0'])
    if (origin > cut.origins) continue
    for (const method of methods) {
      const out = join(here, 'ours', fileName(method))
      mkdirSync(out, { recursive: true })
      const { stdout } = await run(hierarchical, [join(here, 'train.parquet'), columns, method, String(windows),
        horizon, preset, threads, out, levels])
      const { series, fallback } = JSON.parse(stdout) as { series: number, fallback: string | null }
      if (series !== cut.nodes) throw new Error(`${series} of ${cut.nodes} nodes were forecast in ${out}`)
      if (fallback !== null) seen.add(`${method} at origin ${origin}: ${fallback}`)
      reconciled.push(out)
    }
  }
  for (const fallback of seen) log(fallback)
  return { origins: cut.origins, nodes: cut.nodes, reconciled }
}
