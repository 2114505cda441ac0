import { isFew } from './certainty.ts'
import { coherence, drivers } from './drivers.ts'
import type { ComparisonFinding, OutlookFinding } from './findings.ts'
import { ofSeries, verbOf } from './panel-findings.ts'
import type { Scene } from './scene.ts'
import { count, number, say, share, shareSize, size, type Part, type Sentence } from './sentence.ts'
import { earlier, lastSeason, surely } from './series-findings.ts'

/** Sentences about the forecasts, the most important first. */
export function forecastSummary (scene: Scene): Sentence[] {
  const { main } = scene
  return [
    ...comparison(scene, main?.comparison ?? null),
    ...accuracy(scene),
    ...drivers(scene),
    ...coherence(scene),
    ...movers(scene),
    ...outlook(scene, main?.outlook ?? null),
    ...lastStep(scene, main?.outlook ?? null),
    ...growth(scene)
  ]
}

/** `4.2 % above`; the plain difference if the base is not above zero. */
export function against ({ change, relative }: Pick<ComparisonFinding, 'change' | 'relative'>): Part {
  const amount = relative === null ? size('change', change) : shareSize('relative', relative)
  return [amount, change < 0 ? ' below' : ' above']
}

export function comparison (scene: Scene, found: ComparisonFinding | null): Sentence[] {
  if (found === null) return []
  const { subject, time } = scene
  const period: Part = [time.date('from', found.from), ' to ', time.date('to', found.to)]
  if (found.about_same) {
    return [
      say('comparison')`From ${period} ${subject} is forecast near its level ${earlier(scene, found.seasons)}, ${
        difference(found)
      }${surely(scene)}.`
    ]
  }
  return [
    say('comparison')`From ${period} ${subject} is forecast to be ${against(found)} its level ${
      earlier(scene, found.seasons)
    }${surely(scene)}.`
  ]
}

function difference ({ change, relative }: ComparisonFinding): Part {
  if (change === 0) return 'without change'
  return [relative === null ? size('change', change) : shareSize('relative', relative),
    change < 0 ? ' lower' : ' higher']
}

function accuracy (scene: Scene): Sentence[] {
  const { findings, main, isPanel } = scene
  const found = isPanel ? findings.accuracy : main?.accuracy ?? null
  if (found === null || found.standing === null || found.standing === 'not_better') return []
  const judged: Part = isPanel ? ['over ', count('series', findings.accuracy.series), ' series '] : ''
  const smaller: Part = [shareSize('skill', found.skill), ` smaller than that of repeating ${lastSeason(scene)}`]
  const steps = isPanel ? undefined : main?.accuracy?.steps
  if (steps !== undefined && isFew({ steps })) {
    return [
      say('accuracy', found.skill)`In the backtest the error was ${smaller}; only ${scene.time.steps(steps)} ${
        steps === 1 ? 'was' : 'were'
      } compared.`
    ]
  }
  const better = found.standing === 'clearly_better' ? 'clearly better' : 'slightly better'
  return [say('accuracy', found.skill)`In the backtest the error ${judged}was ${smaller}, which is ${better}.`]
}

function movers ({ findings, isPanel }: Scene): Sentence[] {
  const { rise, fall } = findings.rules
  if (!isPanel || rise.series + fall.series === 0) return []
  const one = rise.series === 0 ? fall : rise
  if (rise.series === 0 || fall.series === 0) {
    return [
      say(one === rise ? 'rise' : 'fall', one.volume_share)`${ofSeries(one)} ${
        verbOf(one, 'are')
      } forecast to be at least ${share('least', 0.03)} ${one === rise ? 'above' : 'below'} their earlier level.`
    ]
  }
  return [
    say('movers', rise.volume_share + fall.volume_share)`Of ${count('of', rise.of)} series ${
      count('rise', rise.series)
    } ${verbOf(rise, 'are')} forecast to be at least ${share('least', 0.03)} above their earlier level, and ${
      count('fall', fall.series)
    } at least as much below.`
  ]
}

function outlook ({ subject, time }: Scene, found: OutlookFinding | null): Sentence[] {
  if (found === null) return []
  const { mean, steps, highest, highest_at: at } = found
  if (steps === 1) return [say('outlook')`${subject} is forecast to be ${number('mean', mean)} ${time.when('at', at)}.`]
  return [
    say('outlook')`Over ${time.steps(steps)} ${subject} is forecast to average ${
      number('mean', mean)
    }, with its highest value of ${number('highest', highest)} ${time.when('at', at)}.`
  ]
}

function lastStep ({ subject, time, certainty }: Scene, found: OutlookFinding | null): Sentence[] {
  if (found === null || found.last_lower === null || found.last_upper === null) return []
  const between = certainty === 'likely'
    ? ', likely between '
    : certainty === 'uncertain'
    ? ', uncertain, between '
    : ', and may lie between '
  return [
    say('last_step')`${time.when('to', found.to)} ${subject} is forecast to be ${number('last', found.last)}${between}${
      number('lower', found.last_lower)
    } and ${number('upper', found.last_upper)}.`
  ]
}

function growth ({ main, isPanel, findings }: Scene): Sentence[] {
  const { growing } = findings.rules
  if (isPanel) {
    return growing.series === 0
      ? []
      : [
        say('growing', growing.volume_share)`The 80 % band of ${ofSeries(growing)} is over ${
          count('least', 3)
        } times as wide at the last step as at the first.`
      ]
  }
  const found = main?.uncertainty ?? null
  if (found === null || !found.growing || found.ratio === null) return []
  return [
    say('growing', 0.5)`The 80 % band widens from ${number('first_width', found.first_width)} at the first step to ${
      number('last_width', found.last_width)
    } at the last (${number('ratio', found.ratio)} times).`
  ]
}
