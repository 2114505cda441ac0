/* Data in which what there is to be found is plain to see, so that another method finds it as well; always the same. */

import { normal, uniform } from '../random.ts'

export interface Dataset {
  name: string
  /** Lines of CSV. */
  text: string
  freq: 'D' | 'MS' | 'YS'
  horizon: number
  covariates?: string[]
  preset?: 'fast' | 'balanced'
  /** All analyses; else the plot alone, which the backtest is read from. */
  isAnalysed?: boolean
}

type Value = (step: number) => number | null

interface Planted {
  item: string
  from?: number
  to: number
  value: Value
}

const unit = { D: [2024, 0, 1], MS: [2018, 1, 0], YS: [1985, 12, 0] } as const

function stampOf (freq: Dataset['freq'], step: number): string {
  const [year, months, days] = unit[freq]
  return new Date(Date.UTC(year, step * months, 1 + step * days)).toISOString().slice(0, 10)
}

function csvOf (freq: Dataset['freq'], series: Planted[]): string {
  const lines = series.flatMap(({ item, from = 0, to, value }) =>
    Array.from({ length: to - from }, (_, step) => `${item},${stampOf(freq, from + step)},${text(value(from + step))}`)
  )
  return ['item_id,timestamp,target', ...lines].join('\n') + '\n'
}

const text = (value: number | null) => value === null ? '' : value.toFixed(3)

const week = [-0.25, -0.15, 0, 0.05, 0.1, 0.4, -0.15]
const year = [-0.2, -0.25, -0.1, 0, 0.05, 0.1, 0.15, 0.1, 0, 0, 0.05, 0.35]
const dayOf = (step: number) => week[step % 7] ?? 0
const monthOf = (step: number) => year[step % 12] ?? 0

/**
 * Daily series of 200 steps with a horizon of 28, monthly ones of 72 with 12: lengths with one window of a backtest,
 * which is published whole.
 */
export function singleSeries (): Dataset[] {
  const random = uniform(7)
  const noise = normal(random)
  const daily = (name: string, value: Value, to = 200): Dataset => ({
    name,
    freq: 'D',
    horizon: 28,
    text: csvOf('D', [{ item: name, to, value }])
  })
  const monthly = (name: string, value: Value, to = 72, horizon = 12): Dataset => ({
    name,
    freq: 'MS',
    horizon,
    text: csvOf('MS', [{ item: name, to, value }])
  })
  const wander = normal(uniform(5))
  let walk = 100
  return [
    monthly('sales', (step) => (200 + step) * (1 + monthOf(step)) + 4 * noise()),
    monthly('decline', (step) => (500 - 3 * step) * (1 + 0.5 * monthOf(step)) + 5 * noise(), 72, 10),
    monthly('young', (step) => 80 + 2 * step + 3 * noise(), 20, 4),
    monthly('long horizon', (step) => (300 + 2 * step) * (1 + monthOf(step)) + 5 * noise(), 72, 18),
    {
      name: 'years',
      freq: 'YS',
      horizon: 4,
      text: csvOf('YS', [{ item: 'years', to: 36, value: (step) => 1000 + 14 * step + 20 * noise() }])
    },
    daily('moved', (step) => (step < 170 ? 100 : 130) * (1 + 0.5 * dayOf(step)) + 3 * noise()),
    daily('odd', (step) => 60 * (1 + dayOf(step)) + 2 * noise() + ({ 40: 70, 77: -55, 121: 95 }[step] ?? 0)),
    daily('bent', (step) => 200 + (step < 133 ? 0.1 * step : 13.3 + 1.2 * (step - 133)) + 4 * noise()),
    daily('rare', () => random() < 0.3 ? Math.ceil(8 * random()) : 0),
    daily('lumpy', () => random() < 0.15 ? Math.ceil(Math.exp(3.5 * random())) : 0),
    daily('holes', (step) => step % 9 === 4 || (step > 60 && step < 66) ? null : 300 * (1 + dayOf(step)) + 5 * noise()),
    daily('sieve', (step) => step % 5 === 2 || step % 7 === 3 ? null : 300 + 0.5 * step + 5 * noise()),
    daily('balance', () => 1 + 6 * noise()),
    daily('stopped', (step) => step < 150 ? 38 + 4 * random() : 41),
    daily('walk', () => {
      walk += 1.5 * wander()
      return walk
    }),
    daily('noise', () => 30 + 12 * noise()),
    daily('gone', (step) => step < 172 ? 90 + noise() : 40 + noise()),
    daily('balance with holes', (step) => step % 3 === 1 ? null : 1 + 6 * noise()),
    daily('rare with holes', (step) => step % 6 === 1 ? null : random() < 0.3 ? Math.ceil(8 * random()) : 0)
  ]
}

/** Twelve kinds of series in one file, one of them much larger than the others. */
export function mixedPanel (name: string, seed: number, wholeLife: boolean): Dataset {
  const random = uniform(seed)
  const noise = normal(random)
  const old: Planted = { item: 'old', to: 165, value: (step) => 25 * (1 + dayOf(step)) + noise() }
  const young: Planted = { item: 'young', from: 178, to: 200, value: () => 30 + noise() }
  const series: Planted[] = [
    { item: 'giant', to: 200, value: (step) => (2000 + 3 * step) * (1 + 0.5 * dayOf(step)) + 30 * noise() },
    { item: 'shop 1', to: 200, value: (step) => 50 * (1 + dayOf(step)) + 2 * noise() },
    { item: 'shop 2', to: 200, value: (step) => 70 * (1 + 0.3 * dayOf(step)) + 5 * noise() },
    { item: 'fading', to: 200, value: (step) => 120 - 0.3 * step + 4 * noise() },
    { item: 'rare', to: 200, value: () => random() < 0.35 ? Math.ceil(9 * random()) : 0 },
    { item: 'lumpy', to: 200, value: () => random() < 0.2 ? Math.ceil(Math.exp(4 * random())) : 0 },
    { item: 'holes', to: 200, value: (step) => step % 8 === 3 ? null : 40 * (1 + dayOf(step)) + 2 * noise() },
    { item: 'balance', to: 200, value: () => 3 + 5 * noise() },
    { item: 'moved', to: 200, value: (step) => (step < 172 ? 60 : 45) + 1.5 * noise() },
    { item: 'odd', to: 200, value: (step) => 80 + 2 * noise() + (step % 40 === 11 ? 60 : 0) },
    { item: 'stopped', to: 200, value: (step) => step < 150 ? 33 + 4 * random() : 36 },
    { item: 'bent', to: 200, value: (step) => 90 + (step < 133 ? 0 : 0.6 * (step - 133)) + 2 * noise() },
    ...wholeLife ? [] : [old, young]
  ]
  return { name, freq: 'D', horizon: 28, text: csvOf('D', series) }
}

/** Few series with one oddity each, so that there is room for a sentence about each. */
export function oddPanel (): Dataset {
  const noise = normal(uniform(31))
  const series: Planted[] = [
    { item: 'moved', to: 200, value: (step) => (step < 172 ? 100 : 150) + 3 * noise() },
    { item: 'bent', to: 200, value: (step) => 100 + (step < 133 ? 0 : 0.8 * (step - 133)) + 3 * noise() },
    { item: 'odd', to: 200, value: (step) => 100 + 3 * noise() + (step % 40 === 11 ? 90 : 0) },
    { item: 'balance', to: 200, value: () => 10 + 90 * noise() },
    { item: 'old', to: 165, value: () => 100 + 3 * noise() }
  ]
  return { name: 'oddities', freq: 'D', horizon: 28, text: csvOf('D', series) }
}

/** Eleven series that depend on a promotion which is known for the horizon too. */
export function promotedPanel (): Dataset {
  const random = uniform(23)
  const noise = normal(random)
  const lines = ['item_id,timestamp,target,promo,dummy']
  for (let item = 0; item < 11; item++) {
    for (let step = 0; step < 228; step++) {
      const promo = random() < 0.2 ? 1 : 0
      const value = (40 + 12 * item) * (1 + dayOf(step) + 0.2 * promo + 0.05 * noise())
      lines.push(
        `item ${item},${stampOf('D', step)},${step < 200 ? value.toFixed(3) : ''},${promo},${noise().toFixed(4)}`
      )
    }
  }
  return {
    name: 'promoted',
    freq: 'D',
    horizon: 28,
    covariates: ['promo', 'dummy'],
    isAnalysed: true,
    text: lines.join('\n') + '\n'
  }
}

/** More series than the findings are made of, all of them constant, and without a backtest. */
export function manySeries (): Dataset {
  const series: Planted[] = Array.from({ length: 2050 },
    (_, item) => ({ item: `s${item}`, to: 12, value: () => 10 + item }))
  return { name: 'many', freq: 'D', horizon: 2, preset: 'fast', text: csvOf('D', series) }
}
