import { uniform } from '../../test/support/random.ts'
import { quantile } from '../quantile.ts'

/** Losses that differ by less than this share of the baseline's are equal: half a win for both. */
export const tie = 0.005
const resamples = 10_000

/** A table: losses split by split. */
export interface Losses {
  own: number[]
  /** By peer, as many each. */
  peers: Record<string, number[]>
  /** Of the shares or the mean of the training rows. */
  baseline: number[]
}

export const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Our place among all of a table, 1 the best, mean over the splits; equal losses share a place. */
export function rankOf ({ own, peers }: Losses): number {
  return mean(own.map((loss, split) => {
    const others = Object.values(peers).map((losses) => losses[split] as number)
    return 1 + others.filter((other) => other < loss).length + others.filter((other) => other === loss).length / 2
  }))
}

/** Our place where losses as good as equal share one. */
export function rankWithTies (losses: Losses): number {
  return 1 + Object.keys(losses.peers).reduce((sum, peer) => sum + 1 - winsOver(losses, peer), 0)
}

/** Share of the splits of a table that we win against a peer. */
export function winsOver ({ own, peers, baseline }: Losses, peer: string): number {
  return mean(own.map((loss, split) => {
    const gain = ((peers[peer]?.[split] as number) - loss) / (baseline[split] as number)
    return gain >= tie ? 1 : gain > -tie ? 0.5 : 0
  }))
}

/** By how much our loss is above the peer's, as a share of the baseline's, mean over the splits. */
export function excessOver ({ own, peers, baseline }: Losses, peer: string): number {
  return mean(own.map((loss, split) => (loss - (peers[peer]?.[split] as number)) / (baseline[split] as number)))
}

/** Ends of the 95 % interval of the mean when the tables are drawn anew (Efron 1979), the same in every run. */
export function bootstrapMean (values: number[]): [number, number] {
  const random = uniform(20261122)
  const means = Array.from({ length: resamples },
    () => mean(values.map(() => values[Math.floor(random() * values.length)] as number)))
  return [quantile(means, 0.025), quantile(means, 0.975)]
}
