import { writeFileSync } from 'node:fs'
import { normal, uniform } from '../../test/support/random.ts'

export interface PlantedPanel {
  path: string
  /** What the promotion adds to a series, in units of the target; series by series. */
  effects: number[]
}

export interface PlantedOptions {
  path: string
  seed: number
  series: number
  days: number
  horizon: number
  /** Whether the promotion adds the same to all series, or in proportion to their level. */
  isConstant: boolean
}

/**
 * Daily series with a level, a week and noise, a promotion that adds a known amount to some days, and a column of
 * noise; both are known for the horizon.
 */
export function writePlantedPanel ({ path, seed, series, days, horizon, isConstant }: PlantedOptions): PlantedPanel {
  const random = uniform(seed)
  const noise = normal(random)
  const lines = ['item_id,timestamp,target,promo,dummy']
  const week = [-0.12, -0.06, 0, 0.03, 0.06, 0.15, -0.06]
  const share = 0.25 + 0.35 * random()
  const effects: number[] = []
  for (let item = 0; item < series; item++) {
    const level = 50 + 150 * random()
    const effect = share * (isConstant ? 100 : level)
    effects.push(effect)
    for (let day = 0; day < days + horizon; day++) {
      const promo = random() < 0.2 ? 1 : 0
      const value = level * (1 + (week[day % 7] ?? 0) + 0.04 * noise()) + promo * effect
      lines.push(`item ${item},${dateOf(day)},${day < days ? value.toFixed(3) : ''},${promo},${noise().toFixed(4)}`)
    }
  }
  writeFileSync(path, `${lines.join('\n')}\n`)
  return { path, effects }
}

/** Series that depend on some of many columns: for the time that all analyses take. */
export function writeWidePanel (
  { path, series, days, features, horizon }: { path: string, series: number, days: number, features: number,
    horizon: number }
): void {
  const random = uniform(1)
  const noise = normal(random)
  const names = [...Array(features).keys()].map((feature) => `feature_${feature}`)
  const lines = [`item_id,timestamp,target,${names.join(',')}`]
  for (let item = 0; item < series; item++) {
    const level = 50 + 150 * random()
    for (let day = 0; day < days + horizon; day++) {
      const values = names.map(() => noise())
      const value = level *
        (1 + 0.1 * Math.sin(day * 2 * Math.PI / 7) + 0.05 * (values[0] ?? 0) + 0.03 * (values[1] ?? 0) + 0.03 * noise())
      lines.push(
        `item ${item},${dateOf(day)},${day < days ? value.toFixed(3) : ''},${
          values.map((one) => one.toFixed(3)).join(',')
        }`
      )
    }
  }
  writeFileSync(path, `${lines.join('\n')}\n`)
}

export function dateOf (day: number): string {
  return new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10)
}
