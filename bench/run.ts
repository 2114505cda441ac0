import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchAccuracy } from './accuracy/accuracy.ts'
import { benchAgent } from './agent/agent.ts'
import type { Bench } from './bench.ts'
import { benchBudgets } from './budgets/budgets.ts'
import { benchCovariates } from './covariates/covariates.ts'
import { benchEngine } from './engine/engine.ts'
import { benchEnrichment } from './enrichment/enrichment.ts'
import { benchEstimates } from './estimates/estimates.ts'
import { benchExplain } from './explain/explain.ts'
import { benchGlobal } from './global/global.ts'
import { benchHighFrequency } from './high-frequency/high-frequency.ts'
import { benchHttp } from './http/http.ts'
import { benchIngest } from './ingest/ingest.ts'
import { benchOperations } from './operations/operations.ts'
import { benchParity } from './parity/parity.ts'
import { formatRow } from './readme/benchmark-tables.ts'
import { benchReconciliation } from './reconciliation/reconciliation.ts'
import { benchReport } from './report/report.ts'
import { judge, writeResult } from './result.ts'
import { benchRobustness } from './robustness/robustness.ts'
import { benchSandbox } from './sandbox/sandbox.ts'
import { benchScale } from './scale/scale.ts'
import { benchStorage } from './storage/storage.ts'
import { benchTabular } from './tabular/tabular.ts'
import { benchTrees } from './trees/trees.ts'

/*
 * node .cache/bench/bench/run.js [--trial] NAME...   runs the named benchmarks and writes bench/results/NAME.json.
 * Exits with 1 when a number misses its gate.
 */
const benches: Record<string, Bench> = {
  http: benchHttp,
  ingest: benchIngest,
  storage: benchStorage,
  engine: benchEngine,
  accuracy: benchAccuracy,
  'high-frequency': benchHighFrequency,
  covariates: benchCovariates,
  parity: benchParity,
  reconciliation: benchReconciliation,
  global: benchGlobal,
  trees: benchTrees,
  tabular: benchTabular,
  report: benchReport,
  robustness: benchRobustness,
  explain: benchExplain,
  estimates: benchEstimates,
  agent: benchAgent,
  enrichment: benchEnrichment,
  operations: benchOperations,
  budgets: benchBudgets,
  sandbox: benchSandbox,
  scale: benchScale
}

const print = (line: string) => process.stdout.write(line + '\n')
const trial = process.argv.includes('--trial')
const names = process.argv.slice(2).filter((name) => !name.startsWith('--'))
const unknown = names.find((name) => !(name in benches))
if (names.length === 0 || unknown !== undefined) {
  print(`usage: run.js [--trial] NAME...   one or more of ${Object.keys(benches).join(', ')}`)
  process.exit(2)
}

for (const name of names) {
  const folder = mkdtempSync(join(tmpdir(), `tabcast-bench-${name}-`))
  print(`\n${name}${trial ? ' (trial: nothing is written)' : ''}`)
  try {
    const measured = await (benches[name] as Bench)({ trial, folder, log: (line) => print(`  ${line}`) })
    const rows = trial ? measured.map(judge) : writeResult(name, measured).rows
    for (const row of rows) print(`  ${formatRow(row).join(' | ')}`)
    if (!trial && rows.some((row) => row.pass === false)) process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
