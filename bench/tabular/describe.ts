import { namePeer, tabularPeers } from '../peers/python.ts'
import { median } from '../quantile.ts'
import { comparison, type Bar, type Measurement } from '../result.ts'
import { bootstrapMean, excessOver, mean, rankOf, rankWithTies, winsOver, type Losses } from './compare.ts'
import type { OwnScore } from './own.ts'
import { peers, type Peer, type Score } from './peers.ts'
import type { Table } from './tables.ts'

/** Everyone's scores of one table. */
export interface TableScores {
  table: Table
  own: OwnScore[]
  theirs: Record<Peer, Score[]>
  baseline: Score[]
}

const bars: Partial<Record<Peer, { gate: Bar, aim: Bar }>> = {
  catboost: { gate: { atLeast: 60 }, aim: { atLeast: 75 } },
  ...Object.fromEntries(
    (['lightgbm', 'xgboost', 'histogram', 'forest'] as const).map((
      peer
    ) => [peer, { gate: { atLeast: 80 }, aim: { atLeast: 90 } }])
  )
}
const lossesOf = (scores: Score[]): number[] => scores.map(({ loss }) => loss)

/** Ranks, wins, calibration and intervals over all tables, then each table against each peer. */
export function describeTables (scores: TableScores[]): Measurement[] {
  const tables = scores.map(({ own, theirs, baseline }): Losses => ({
    own: lossesOf(own),
    peers: Object.fromEntries(peers.map(({ peer }) => [peer, lossesOf(theirs[peer])])),
    baseline: lossesOf(baseline)
  }))
  return [...describeRanks(tables), ...describeWins(tables), ...describeHonesty(scores),
    ...scores.flatMap(describeTable)]
}

function describeRanks (tables: Losses[]): Measurement[] {
  const ranks = tables.map(rankOf)
  const [low, high] = bootstrapMean(ranks)
  const what = `mean rank among the ${peers.length + 1}, ${tables.length} tables`
  return [
    { what, figure: mean(ranks), unit: '', gate: { atMost: 2.3 }, aim: { atMost: 1.5 } },
    { what: `${what}: lower end of its 95 % interval, tables drawn anew`, figure: low, unit: '' },
    { what: `${what}: upper end`, figure: high, unit: '' },
    {
      what: `${what}: where differences under 0.5 % of the baseline's loss share a place`,
      figure: mean(tables.map(rankWithTies)),
      unit: ''
    }
  ]
}

function describeWins (tables: Losses[]): Measurement[] {
  const worst = Math.max(...tables.map((table) => excessOver(table, 'linear')))
  return [
    ...peers.map(({ peer, title }) => ({
      what: `won against ${title} at its defaults, a difference under 0.5 % of the baseline's loss as half a win`,
      figure: 100 * mean(tables.map((table) => winsOver(table, peer))),
      unit: '% of the tables',
      ...bars[peer]
    })),
    {
      what: "loss above that of logistic / ridge, share of the baseline's loss: the worst table",
      figure: 100 * worst,
      unit: '%',
      gate: { atMost: 1 },
      aim: { atMost: 0 }
    }
  ]
}

function describeHonesty (scores: TableScores[]): Measurement[] {
  const errors = (pick: (scores: TableScores) => Score[]) =>
    scores.flatMap((table) => {
      const found = pick(table).flatMap(({ ece }) => ece === null ? [] : [ece])
      return found.length === 0 ? [] : [mean(found)]
    })
  const coverage = scores.flatMap(({ own }) => {
    const found = own.flatMap(({ coverage }) => coverage === null ? [] : [100 * coverage])
    return found.length === 0 ? [] : [mean(found)]
  })
  const inside = `test rows inside the 80 % interval, ${coverage.length} tables`
  return [
    {
      what: 'expected calibration error, 15 bins, median of the tables with classes',
      figure: median(errors(({ own }) => own)),
      unit: '',
      gate: { atMost: 0.03 },
      aim: { atMost: 0.02 }
    },
    ...peers.map(({ peer, title }) => ({
      what: `the same, ${title}`,
      figure: median(errors(({ theirs }) => theirs[peer])),
      unit: ''
    })),
    {
      what: `${inside}: mean`,
      figure: mean(coverage),
      unit: '%',
      gate: { atLeast: 78, atMost: 84 },
      aim: { atLeast: 79, atMost: 82 }
    },
    { what: `${inside}: the fewest`, figure: Math.min(...coverage), unit: '%' },
    { what: `${inside}: the most`, figure: Math.max(...coverage), unit: '%' }
  ]
}

function describeTable ({ table, own, theirs, baseline }: TableScores): Measurement[] {
  const loss = table.task === 'regression' ? 'root mean squared error' : 'log loss'
  const what = `${table.name}, ${table.rows.toLocaleString('en')} rows, ${table.columns} columns: ${loss}${
    own.length > 1 ? `, mean of ${own.length} splits` : ''
  }`
  const figure = mean(lossesOf(own))
  return [
    comparison({
      what,
      figure,
      unit: '',
      peer: { name: 'baseline: shares or mean of the training rows', figure: mean(lossesOf(baseline)) }
    }),
    ...peers.map(({ peer, packageName, title }) =>
      comparison({
        what,
        figure,
        unit: '',
        peer: { name: `${title} (${namePeer(packageName, tabularPeers)})`, figure: mean(lossesOf(theirs[peer])) }
      })
    )
  ]
}
