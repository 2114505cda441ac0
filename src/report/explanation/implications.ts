import { held } from './certainty.ts'
import { about, ofSeries } from './panel-findings.ts'
import type { Scene } from './scene.ts'
import { count, named, number, say, share, shareSize, size, type Part, type Sentence } from './sentence.ts'
import { earlier, lastSeason, surely } from './series-findings.ts'

/** A change of this size is worth a look at plans. */
const large = 0.1

/** Advice for planning with the forecast: one fixed sentence for each of a few findings. */
export function implications (scene: Scene): Sentence[] {
  return [...distrust(scene), ...change(scene), ...peak(scene), ...wideBands(scene), ...rareDemand(scene),
    ...recentShift(scene), ...concentrated(scene)]
    .sort((left, right) => right.weight - left.weight)
}

function distrust (scene: Scene): Sentence[] {
  const { findings, main, isPanel } = scene
  const { not_better: none } = findings.rules
  if (isPanel) {
    const example: Part = none.example === null
      ? ''
      : [none.series === 1 ? ': ' : ', first of all ', named('example', none.example)]
    return none.series === 0
      ? []
      : [
        say('not_better', 0.3 + none.volume_share)`Check the forecasts of ${ofSeries(none)} against repeating ${
          lastSeason(scene)
        }${example}.`
      ]
  }
  const skill = main?.accuracy?.standing === 'not_better' ? main.accuracy.skill : null
  return skill === null
    ? []
    : [
      say('not_better', 1)`Compare the forecast with repeating ${
        lastSeason(scene)
      } before plans depend on it: its backtest error was ${shareSize('skill', skill)} larger.`
    ]
}

function change (scene: Scene): Sentence[] {
  const found = scene.main?.comparison ?? null
  if (found === null || found.relative === null || Math.abs(found.relative) < large) return []
  const direction = found.change < 0 ? 'less' : 'more'
  return [
    say('comparison', 0.4 + Math.abs(found.relative))`Review orders and capacity: ${
      shareSize('relative', found.relative)
    } ${direction} than ${earlier(scene, found.seasons)} is forecast${surely(scene)}.`
  ]
}

/** Only if the forecast itself peaks in the part of the season that usually peaks. */
function peak ({ main, time }: Scene): Sentence[] {
  const season = main?.season ?? null
  const outlook = main?.outlook ?? null
  if (season === null || outlook === null || !season.strong) return []
  const { highest, mean, highest_at: at } = outlook
  if (highest <= Math.max(0, mean) || (at - season.next_peak) % season.length !== 0) return []
  // Figures of the forecast itself: what is known ahead may move it far from the usual pattern.
  const height: Part = mean > 0 ? [share('above_mean', highest / mean - 1), ' above'] : 'against'
  return [
    say('peak', season.strength * 0.9)`Plan capacity for the peak ${time.when('highest_at', at)}: about ${
      number('highest', highest)
    } is forecast, ${height} the mean of ${number('mean', mean)}.`
  ]
}

function wideBands ({ findings, main, isPanel }: Scene): Sentence[] {
  const { wide, too_wide: tooWide } = findings.rules
  const coverage = isPanel ? findings.accuracy.coverage : main?.accuracy?.coverage ?? null
  // A band that is wider than it has to be is no reason for stock.
  if (coverage !== null && coverage > held.most) return []
  if (isPanel) {
    return wide.series <= tooWide.series
      ? []
      : [
        say('wide', 0.3 + wide.volume_share / 2)`Use the 0.9 quantile for stock decisions on ${
          ofSeries(wide)
        }; the 80 % band is wider than half of the forecast.`
      ]
  }
  const relative = main?.uncertainty?.wide === true ? main.uncertainty.relative : null
  return relative === null
    ? []
    : [
      say('wide', 0.3 + relative / 2)`Use the 0.9 quantile for stock decisions: the 80 % band is ${
        share('relative', relative)
      } of the forecast wide, and values are uncertain.`
    ]
}

function rareDemand ({ findings, main, isPanel }: Scene): Sentence[] {
  const { intermittent } = findings.rules
  if (isPanel) {
    return intermittent.series === 0
      ? []
      : [
        say('intermittent', 0.2 + intermittent.volume_share)`Plan ${
          ofSeries(intermittent)
        } by totals of several steps: single steps often have no demand.`
      ]
  }
  const found = main?.intermittent ?? null
  return found === null
    ? []
    : [
      say('intermittent', 0.7)`Plan by totals of several steps: ${
        share('zero_share', found.zero_share)
      } of the steps had no demand, and when the next comes is uncertain.`
    ]
}

function recentShift ({ findings, main, isPanel, time }: Scene): Sentence[] {
  if (isPanel) {
    return about('level_shift', findings.rules.level_shift, {
      verb: 'moved',
      what: 'of late: check whether that lasts'
    }, 0.5)
  }
  const found = main?.level_shift ?? null
  if (found === null) return []
  const amount = found.relative === null ? size('size', found.size) : shareSize('relative', found.relative)
  return [
    say('level_shift', 0.6)`Check whether the change of about ${amount} ${
      time.when('at', found.at)
    } lasts: older values may mislead.`
  ]
}

function concentrated ({ findings: { concentration } }: Scene): Sentence[] {
  if (concentration === null) return []
  return [
    say('concentration', concentration.share * 0.6)`Review the largest ${count('series', concentration.series)} of ${
      count('of', concentration.of)
    } series first: they are ${share('share', concentration.share)} of the volume.`
  ]
}
