import type { Bench } from '../bench.ts'
import { preparePython, tabularPeers } from '../peers/python.ts'
import { measureAblation } from './ablation.ts'
import { describeTables, type TableScores } from './describe.ts'
import { measureLarge } from './large.ts'
import { scoreOwn } from './own.ts'
import { peers, scorePeer, type Peer, type Score } from './peers.ts'
import { readTables } from './tables.ts'

/** Of a trial: one of classes and one of numbers, both small. */
const trialTables = ['iris', 'auto_imports']

/**
 * Tables: loss against seven peers at their defaults on fixed test rows, calibration, intervals, what each step gains,
 * time and memory.
 */
export const benchTabular: Bench = async (options) => {
  const python = preparePython(options.log, tabularPeers)
  const scores: TableScores[] = []
  for (const table of await readTables(python, options.folder)) {
    if (options.trial && !trialTables.includes(table.name)) continue
    const theirs: Partial<Record<Peer, Score[]>> = {}
    for (const { peer } of peers) theirs[peer] = await scorePeer(python, table, peer, options.log)
    const baseline = await scorePeer(python, table, 'baseline', options.log)
    const own = await scoreOwn(table, options.folder)
    options.log(`${table.name}: ${JSON.stringify(own)}`)
    scores.push({ table, own, theirs: theirs as Record<Peer, Score[]>, baseline })
  }
  return [...describeTables(scores), ...await measureAblation(scores, options), ...await measureLarge(options, python)]
}
