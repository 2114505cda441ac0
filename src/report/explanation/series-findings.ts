import type { SeriesFindings } from './findings.ts'
import type { Scene } from './scene.ts'
import { count, number, say, share, shareSize, size, words, type Part, type Sentence } from './sentence.ts'

/** Sentences about the history of the only series, or of the sum of several. */
export function seriesFindings (scene: Scene): Sentence[] {
  const { main } = scene
  if (main === null) return []
  return [trend, trendChange, season, levelShift, outliers, intermittent, negatives].flatMap((rule) =>
    rule(scene, main) ?? []
  )
}

type Rule = (scene: Scene, main: SeriesFindings) => Sentence | null

/** If the trend within a season is smaller than this, it is given for the whole history. */
const smallTrend = 0.02

const trend: Rule = ({ subject, time, findings }, { trend: found }) => {
  if (found === null) return null
  const { change, relative, total, total_relative: totalRelative, whole = false, from, to, strong } = found
  const isSmall = relative !== null && Math.abs(relative) < smallTrend
  const amount: Part = isSmall && totalRelative !== null
    ? [shareSize('total_relative', totalRelative), ' in total']
    : [relative === null ? size('change', change) : shareSize('relative', relative),
      whole ? ' in total' : ` ${time.aSeason(findings.season_length)}`]
  const suggestion = `${strong ? 'a strong' : change < 0 ? 'a' : 'an'} ${change < 0 ? 'downward' : 'upward'} trend`
  return say('trend', Math.max(Math.abs(relative ?? 0.1) * 5, Math.abs(totalRelative ?? 0.5)))`From ${
    time.date('from', from)
  } to ${time.date('to', to)} ${subject} ${
    total < 0 ? 'fell' : 'rose'
  } by about ${amount}, which suggests ${suggestion}.`
}

const trendChange: Rule = ({ subject, time, findings }, { trend_change: found }) => {
  if (found === null) return null
  const { before, after, before_relative: beforeRelative, after_relative: afterRelative, at } = found
  const slope = (name: string, value: number,
    relative: number | null): Part => [relative === null ? size(name, value) : shareSize(`${name}_relative`, relative),
    value < 0 ? ' downward' : ' upward']
  return say('trend_change', 0.6)`Since ${time.date('at', at)} the trend of ${subject} suggests ${
    slope('after', after, afterRelative)
  } ${time.aSeason(findings.season_length)}, against ${slope('before', before, beforeRelative)} before.`
}

const season: Rule = ({ subject, time }, { season: found }) => {
  if (found === null) return null
  const { length, strength, strong, peak, trough, peak_change: change, peak_relative: relative } = found
  const height: Part = relative === null ? size('peak_change', change) : shareSize('peak_relative', relative)
  const cycle: Part = time.season(length) === 'season'
    ? [count('season_length', length), ' steps']
    : time.season(length)
  return say('season', strength)`${subject} has a ${strong ? 'strong' : 'likely'} pattern each ${cycle}: highest ${
    time.phase('peak', peak, length)
  } (about ${height} above trend), lowest ${time.phase('trough', trough, length)}.`
}

const levelShift: Rule = ({ subject, time }, { level_shift: found }) => {
  if (found === null) return null
  const { at, size: jump, relative } = found
  const amount = relative === null ? size('size', jump) : shareSize('relative', relative)
  return say('level_shift', Math.abs(relative ?? 0.3) * 3)`The level of ${subject} moved ${
    jump < 0 ? 'down' : 'up'
  } by about ${amount} ${time.when('at', at)}, which suggests a lasting change.`
}

const outliers: Rule = ({ subject, time }, { outliers: found }) => {
  if (found === null) return null
  const { count: many, share: part, largest, value, expected } = found
  const values: Part = many === 1 ? [count('count', 1), ' value'] : [count('count', many), ' values']
  return say('outliers', 0.2 + part * 10)`${values} of ${subject} (${share('share', part)}) ${
    many === 1 ? 'looks' : 'look'
  } unusual, most of all ${number('value', value)} ${time.when('largest', largest)}, against about ${
    number('expected', expected)
  } expected.`
}

const intermittent: Rule = ({ subject }, { intermittent: found }) => {
  if (found === null) return null
  const { interval, zero_share: zeros, lumpy } = found
  return say('intermittent', 0.5 + zeros / 2)`${subject} is zero in ${share('zero_share', zeros)} of the steps, with a${
    lumpy ? ' very uneven' : ''
  } demand once in about ${number('interval', interval)} steps.`
}

const negatives: Rule = ({ subject }, { negatives: found }) => {
  if (found === null) return null
  return say('negatives', 0.15)`${subject} is below zero in ${count('count', found.count)} of ${
    count('observed', found.observed)
  } observed steps (${share('share', found.share)}).`
}

/**
 * `the last year`; `the last value` if there is no season, or less than one before the held-back part. Windows may
 * begin before or after the first whole season.
 */
export function lastSeason ({ time, main, findings }: Scene): string {
  const length = findings.accuracy.season_length ?? findings.season_length
  const season = time.season(length)
  if (length < 2) return 'the last value'
  if (main === null) return `the last ${season}`
  const ahead = main.outlook?.steps ?? 1
  const compared = main.accuracy?.steps ?? ahead
  if (main.steps - Math.min(ahead, compared) <= length) return 'the last value'
  return main.steps - compared > length ? `the last ${season}` : `the last ${season} or value`
}

/** `a year earlier`, `3 weeks earlier`; `just before` if there is no season. */
export function earlier ({ time, findings }: Scene, seasons: number | null): Part {
  if (seasons === null) return 'just before'
  if (seasons === 1) return `${time.aSeason(findings.season_length)} earlier`
  return [count('seasons', seasons), ` ${time.season(findings.season_length)}s earlier`]
}

/** The certainty at the end of a sentence; the word is also in the key. */
export function surely ({ certainty }: Scene): Part {
  const word = words('certainty', certainty)
  if (certainty === 'may differ') return [', but ', word]
  return [certainty === 'likely' ? ', a ' : ', an ', word, ' outcome']
}
