import type { Extent } from './findings.ts'
import type { Scene } from './scene.ts'
import { count, named, say, share, type Part, type Sentence } from './sentence.ts'

/** What is said about the histories of several series. */
export function panelFindings ({ findings, isPanel, time }: Scene): Sentence[] {
  if (!isPanel) return []
  const { rules, concentration, season_length: length } = findings
  const up = rules.trend_up
  const down = rules.trend_down
  return [
    ...concentration === null ? [] : [say('concentration', concentration.share)`The largest ${count('series', concentration.series)} of ${count('of', concentration.of)} series make up ${share('share', concentration.share)} of the volume.`],
    ...up.series + down.series === 0 ? [] : [say('trends', up.volume_share + down.volume_share)`Of ${count('of', up.of)} series ${count('up', up.series)} suggest an upward trend and ${count('down', down.series)} a downward one (${share('up_share', up.volume_share)} and ${share('down_share', down.volume_share)} of the volume).`],
    ...rules.season.series === 0 ? [] : [say('season', rules.season.volume_share)`${ofSeries(rules.season)} ${verbOf(rules.season, 'suggest')} a pattern each ${time.season(length)}, ${count('strong', rules.strong_season.series)} of them a strong one (${share('volume_share', rules.season.volume_share)} of the volume).`],
    ...rules.intermittent.series === 0 ? [] : [say('intermittent', 0.2 + rules.intermittent.volume_share)`${ofSeries(rules.intermittent)} ${verbOf(rules.intermittent, 'are')} zero in many steps, ${count('lumpy', rules.lumpy.series)} of them with very uneven demands (${share('volume_share', rules.intermittent.volume_share)} of the volume).`],
    ...about('level_shift', rules.level_shift, { verb: 'moved', what: 'to another level of late' }, 0.6),
    ...about('trend_change', rules.trend_change, { verb: 'suggest', what: 'another trend of late' }, 0.5),
    ...about('outliers', rules.outliers, { verb: 'have', what: ['unusual values in over ', share('least', 0.01), ' of the steps'] }, 0.3),
    ...about('negatives', rules.negatives, { verb: 'have', what: 'values below zero' }, 0.15)
  ]
}

/** `5 of 120 series …, most of all “A12” (3 % of the volume)`; nothing where there are none. */
export function about (rule: string, extent: Extent, { verb, what }: { verb: Verb, what: Part }, effect: number): Sentence[] {
  if (extent.series === 0) return []
  const { example, volume_share: volume } = extent
  const most: Part = example === null ? '' : [', most of all ', named('example', example)]
  return [say(rule, effect * volume)`${ofSeries(extent)} ${verbOf(extent, verb)} ${what}${most} (${share('volume_share', volume)} of the volume).`]
}

/** `5 of 120 series`. */
export function ofSeries ({ series, of }: Extent): Part {
  return [count('series', series), ' of ', count('of', of), ' series']
}

const singular = { are: 'is', have: 'has', were: 'was', suggest: 'suggests', end: 'ends', had: 'had', moved: 'moved' }

type Verb = keyof typeof singular

function verbOf ({ series }: Extent, verb: Verb): string {
  return series === 1 ? singular[verb] : verb
}
