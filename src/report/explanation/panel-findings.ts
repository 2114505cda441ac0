import type { Extent, Findings } from './findings.ts'
import type { Scene } from './scene.ts'
import { count, named, say, share, type Part, type Sentence } from './sentence.ts'

/** Sentences about the histories of several series. */
export function panelFindings ({ findings, isPanel, time }: Scene): Sentence[] {
  if (!isPanel) return []
  const { rules, concentration, season_length: length } = findings
  return [
    ...concentration === null
      ? []
      : [
        say('concentration', concentration.share)`The largest ${count('series', concentration.series)} of ${
          count('of', concentration.of)
        } series make up ${share('share', concentration.share)} of the volume.`
      ],
    ...trends(rules),
    ...rules.season.series === 0
      ? []
      : [
        say('season', rules.season.volume_share)`${withShare(rules.season)} ${verbOf(rules.season, 'show')} a ${
          isAll(rules.strong_season, rules.season) ? 'strong ' : ''
        }pattern each ${time.season(length)}${part('strong', rules.strong_season, rules.season, 'a strong one')}.`
      ],
    ...rules.intermittent.series === 0
      ? []
      : [
        say('intermittent', 0.2 + rules.intermittent.volume_share)`${withShare(rules.intermittent)} ${
          verbOf(rules.intermittent, 'are')
        } zero in many steps${
          isAll(rules.lumpy, rules.intermittent)
            ? ', with very uneven demands'
            : part('lumpy', rules.lumpy, rules.intermittent, 'with very uneven demands')
        }.`
      ],
    ...about('level_shift', rules.level_shift, { verb: 'moved', what: 'to another level of late' }, 0.6),
    ...about('trend_change', rules.trend_change, { verb: 'show', what: 'another trend of late' }, 0.5),
    ...about('outliers', rules.outliers, {
      verb: 'have',
      what: ['unusual values in over ', share('least', 0.01), ' of the steps']
    }, 0.3),
    ...about('negatives', rules.negatives, { verb: 'have', what: 'values below zero' }, 0.15)
  ]
}

function trends ({ trend_up: up, trend_down: down }: Findings['rules']): Sentence[] {
  const weight = up.volume_share + down.volume_share
  if (up.series > 0 && down.series > 0) {
    return [
      say('trends', weight)`Of ${count('of', up.of)} series ${count('up', up.series)} ${
        verbOf(up, 'show')
      } an upward trend and ${count('down', down.series)} a downward one (${share('up_share', up.volume_share)} and ${
        share('down_share', down.volume_share)
      } of the volume).`
    ]
  }
  const one = up.series > 0 ? up : down
  return one.series === 0
    ? []
    : [
      say(one === up ? 'trend_up' : 'trend_down', weight)`${withShare(one)} ${verbOf(one, 'show')} ${
        one === up ? 'an upward' : 'a downward'
      } trend.`
    ]
}

/** `5 of 120 series (3 % of the volume) …, for example “A12”`; a single one by its name. Empty if there are none. */
export function about (rule: string, extent: Extent, { verb, what }: { verb: Verb, what: Part },
  effect: number): Sentence[] {
  if (extent.series === 0) return []
  const { example, volume_share: volume } = extent
  if (example !== null && extent.series === 1) {
    return [
      say(rule, effect * volume)`${ofSeries(extent)}, ${named('example', example)} (${volumeShare(extent)}), ${
        verbOf(extent, verb)
      } ${what}.`
    ]
  }
  const some: Part = example === null ? '' : [', for example ', named('example', example)]
  return [say(rule, effect * volume)`${withShare(extent)} ${verbOf(extent, verb)} ${what}${some}.`]
}

/** `5 of 120 series`, `all 120 series`. */
export function ofSeries ({ series, of }: Extent): Part {
  if (series < of) return [count('series', series), ' of ', count('of', of), ' series']
  return [series === 1 ? '' : 'all ', count('series', series), ' series']
}

/** `5 of 120 series (3 % of the volume)`. */
export function withShare (extent: Extent): Part {
  return [ofSeries(extent), ' (', volumeShare(extent), ')']
}

function volumeShare ({ volume_share: volume }: Extent): Part {
  return [share('volume_share', volume), ' of the volume']
}

function isAll (some: Extent, all: Extent): boolean {
  return some.series === all.series
}

/** `, 3 of them …`, if it is neither none nor all. */
function part (name: string, some: Extent, all: Extent, what: string): Part {
  return some.series === 0 || isAll(some, all) ? '' : [', ', count(name, some.series), ` of them ${what}`]
}

const singular = { are: 'is', have: 'has', were: 'was', show: 'shows', end: 'ends', had: 'had', moved: 'moved' }

export type Verb = keyof typeof singular

export function verbOf ({ series }: Extent, verb: Verb): string {
  return series === 1 ? singular[verb] : verb
}
