import { isCovered, isFew, isOneTest, type Tested } from './certainty.ts'
import type { SeriesFindings } from './findings.ts'
import { about, withShare } from './panel-findings.ts'
import type { Scene } from './scene.ts'
import { count, number, say, share, shareSize, type Part, type Sentence } from './sentence.ts'
import { lastSeason } from './series-findings.ts'

/**
 * What limits the trust in the forecasts, the most serious first. A forecast that is not better than the naive one
 * always comes first.
 */
export function caveats (scene: Scene): Sentence[] {
  return (scene.isPanel ? ofPanel(scene) : ofSingle(scene)).sort((left, right) => right.weight - left.weight)
}

function ofSingle (scene: Scene): Sentence[] {
  const { main, subject, time, findings } = scene
  if (main === null) return []
  const { accuracy, coverage, bias, missing, short_history: short, constant, stale_end: stale } = main
  return [
    ...noBacktest(accuracy !== null),
    ...accuracy === null
      ? []
      : [...doubts(accuracy, scene, coverage !== null), ...fewTests(accuracy.steps, isOneTest(main), scene)],
    ...accuracy?.standing === 'not_better'
      ? [
        say('not_better', 1)`In the backtest the forecast was not better than repeating ${
          lastSeason(scene)
        }: its mean error was ${number('error', accuracy.error)} against ${
          number('naive_error', accuracy.naive_error)
        }.`
      ]
      : [],
    ...coverage === null
      ? []
      : [
        say('coverage', 0.8)`The 80 % band held ${
          share('share', coverage.share)
        } of the actual values of the backtest: it looks too ${coverage.too_narrow ? 'narrow' : 'wide'}.`
      ],
    ...bias === null
      ? []
      : [
        say('bias', 0.7)`In the backtest forecasts were too ${bias.mean_error < 0 ? 'low' : 'high'} by ${
          shareSize('relative', bias.relative)
        } of the usual level on average, and may be again.`
      ],
    ...short === null
      ? []
      : [say('short_history', 0.75)`The history has only ${time.steps(short.steps)}${
        short.seasons === null
          ? ''
          : [' (', number('seasons', short.seasons), ` ${time.season(findings.season_length)}s)`]
      }, which leaves its patterns uncertain.`],
    ...missing === null ? [] : [gaps(missing, main.steps)],
    ...constant === null ? [] : [stuck(constant, scene)],
    ...stale === null
      ? []
      : [
        say('stale_end', 0.85)`${subject} ends ${time.when('last', stale.last)}, ${
          time.steps(stale.steps)
        } before the newest data, and its forecast is uncertain.`
      ]
  ]
}

function ofPanel (scene: Scene): Sentence[] {
  const { seriesInAll, findings: { rules, accuracy, empty, beyond = 0, series } } = scene
  const none = rules.not_better
  return [
    ...noBacktest(accuracy.series > 0),
    ...doubts(accuracy, scene, false),
    ...accuracy.standing === 'not_better'
      ? [
        say('not_better', 1)`In the backtest the forecasts were not better than repeating ${
          lastSeason(scene)
        }: their error was ${shareSize('skill', accuracy.skill)} larger over ${
          count('series', accuracy.series)
        } series.`
      ]
      : [],
    ...none.series === 0 || accuracy.standing === 'not_better'
      ? []
      : [
        say('not_better', 0.99)`For ${withShare(none)} the forecast was not better than repeating ${lastSeason(scene)}.`
      ],
    ...about('too_narrow', rules.too_narrow, { verb: 'had', what: 'too few values inside the 80 % band' }, 0.9),
    ...about('too_wide', rules.too_wide, { verb: 'have', what: 'an 80 % band that looks too wide' }, 0.3),
    ...about('too_high', rules.too_high, { verb: 'were', what: 'forecast too high on average' }, 0.7),
    ...about('too_low', rules.too_low, { verb: 'were', what: 'forecast too low on average' }, 0.7),
    ...about('short_history', rules.short_history, { verb: 'have', what: 'a short history, with uncertain forecasts' },
      0.75),
    ...about('missing', rules.missing, {
      verb: 'have',
      what: 'missing or doubled steps, which may make forecasts less exact'
    }, 0.65),
    ...about('constant', rules.constant, { verb: 'have', what: 'not changed of late, which may be an error' }, 0.6),
    ...about('stale_end', rules.stale_end, { verb: 'end', what: 'before the newest data, with uncertain forecasts' },
      0.85),
    ...series + empty + beyond >= seriesInAll
      ? []
      : [
        say('largest_only', 0.98)`All this is said of the ${
          count('series', series)
        } series with the largest volume, of ${count('total_series', seriesInAll)} in the forecast.`
      ],
    ...empty === 0
      ? []
      : [
        say('empty', 0.2)`${count('empty', empty)} ${
          empty === 1 ? 'series has' : 'series have'
        } no value at all, and no findings.`
      ],
    ...beyond === 0
      ? []
      : [
        say('beyond', 0.6)`${count('beyond', beyond)} series ${
          beyond === 1 ? 'has' : 'have'
        } values too large to be looked at, and no findings.`
      ]
  ]
}

function noBacktest (isBacktested: boolean): Sentence[] {
  return isBacktested
    ? []
    : [say('no_backtest', 0.95)`Nothing was backtested: how accurate the forecast is remains uncertain.`]
}

/** Why a forecast may still differ, although it was better than repeating the last season. */
function doubts (tested: Tested & { skill: number, series?: number }, scene: Scene, isBandTold: boolean): Sentence[] {
  const { standing, coverage, skill, series } = tested
  if (standing === null || standing === 'not_better') return []
  const over: Part = series === undefined ? '' : [' over ', count('series', series), ' series']
  return [
    ...standing === 'clearly_better'
      ? []
      : [
        say('small_lead', 0.72)`In the backtest${over} the error was only ${
          shareSize('skill', skill)
        } smaller than that of repeating ${lastSeason(scene)}, so outcomes may differ.`
      ],
    ...isBandTold || isCovered({ coverage }) ? [] : [oddBand(coverage, over)]
  ]
}

function oddBand (coverage: number | null, over: Part): Sentence {
  if (coverage === null) {
    return say('odd_band', 0.71)`How many actual values the 80 % band held in the backtest${over} is not known.`
  }
  return say('odd_band', 0.71)`In the backtest${over} the 80 % band held ${
    share('coverage', coverage)
  } of the actual values.`
}

function fewTests (steps: number, isOne: boolean, { time }: Scene): Sentence[] {
  if (isOne) return [say('few_tests', 0.73)`All figures of the backtest rest on one test of ${time.steps(steps)}.`]
  return isFew({ steps })
    ? [say('few_tests', 0.73)`All figures of the backtest rest on ${time.steps(steps)} only.`]
    : []
}

function stuck ({ value, since, steps, whole }: NonNullable<SeriesFindings['constant']>,
  { subject, time }: Scene): Sentence {
  if (whole) {
    return say('constant', 0.6)`${subject} has always had the same value, ${number('value', value)}, in ${
      time.steps(steps)
    }, which may be an error.`
  }
  return say('constant', 0.6)`${subject} has not changed from ${number('value', value)} since ${
    time.date('since', since)
  } (${time.steps(steps)}), which may be an error.`
}

function gaps ({ missing, duplicates, share: part, grade }: NonNullable<SeriesFindings['missing']>,
  steps: number): Sentence {
  if (missing === 0) {
    return say('duplicates', 0.3)`${
      rows(duplicates)
    } gave way to another row of the same step, which may hide errors in the data.`
  }
  const effect = { note: 0.35, caveat: 0.65, severe: 0.9 }[grade]
  return say('missing', effect)`${count('missing', missing)} of ${count('steps', steps)} steps (${
    share('share', part)
  }) had no value; the forecast ${grade === 'severe' ? 'is uncertain' : 'may be less exact'}.`
}

function rows (value: number): Part {
  return [count('duplicates', value), value === 1 ? ' row' : ' rows']
}
