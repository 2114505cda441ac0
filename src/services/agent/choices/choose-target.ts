import type { DataProfile } from '../../../domain/data-profile.ts'
import { otherwiseMeant, plausibleTargets } from '../columns/column-roles.ts'
import { maxSuggestions, nearestNames } from '../questions.ts'
import { withoutTakenBack } from '../wishes/corrections.ts'
import type { Finding, Reading } from '../reading.ts'
import { targetWeights, whyUnusable } from '../wishes/targets.ts'
import { nameParts } from '../../../platform/text/fold.ts'
import { inferredWeight, open, type Choice } from './choice.ts'

/** Names that mark a column as the target. */
const targetNames = new Set(['target', 'y', 'value'])

/**
 * Chooses the column to forecast: the one that the prompt names, else the only possible one. Otherwise a question asks
 * for it.
 */
export function chooseTarget (findings: readonly Finding[], reading: Reading): Choice<string | null> {
  const { data } = reading
  const all = withoutTakenBack(findings.filter((finding) => finding.field === 'forecast_target'), reading)
  // A column that is known ahead is not the target, unless it stands in the place of the target, or the prompt names no
  // other column explicitly.
  const isFramed = ({ weight }: Finding): boolean =>
    weight >= targetWeights.said || (weight > targetWeights.bare && weight < targetWeights.asked)
  const likely = all.filter((finding) => isFramed(finding) || finding.value.some(({ isKnownAhead }) => !isKnownAhead))
  const named = likely.length > 0 || all.every(({ weight }) => weight < targetWeights.asked) ? likely : all
  const unknown = findings.find((finding) => finding.field === 'unknown_target')
  const said = named.filter(({ weight }) => weight >= targetWeights.said)
  const asked = named.filter(({ weight }) => weight >= targetWeights.asked)
  const unusable = findings.find((finding) => finding.field === 'unusable_target')
  if (unusable !== undefined) {
    return open('forecast_target', `${whyUnusable(unusable.value)} Which column shall be forecast?`,
      plausibleTargets(data))
  }
  if (said.length > 0) return among(said)
  if (asked.length > 0 && (unknown === undefined || (asked[0] as Finding).from < unknown.from)) return among(asked)
  if (unknown !== undefined) {
    const names = numericNames(data)
    return open('forecast_target', `The data have no column "${unknown.value}". Which column shall be forecast?`,
      nearestNames(unknown.value, names, maxSuggestions))
  }
  const unplaced = findings.find((finding) => finding.field === 'unplaced_target')
  // Answers of a language model have no words in the prompt, and are about exactly this question.
  if (unplaced !== undefined && !named.some(({ from, to, weight }) => from === to || weight > targetWeights.bare)) {
    return open('forecast_target', `The data have no "${unplaced.value}". Which column shall be forecast?`,
      plausibleTargets(data))
  }
  if (named.length > 0) return amongBare(named, reading)
  const choice = unnamed(data)
  if (choice.value !== null) return choice
  const only = onlyNamed(findings, reading)
  return only === undefined ? choice : { value: only, weight: inferredWeight }
}

/**
 * If several columns are possible, chooses the only one that the prompt mentions, even in passing: `if I had a crystal
 * ball I'd ask it for the revenue`.
 */
function onlyNamed (findings: readonly Finding[], { mentions, data }: Reading): string | undefined {
  const isElsewhere = (from: number, to: number): boolean =>
    findings.some((finding) => finding.field !== 'forecast_target' && finding.from < to && finding.to > from)
  const likely = new Set(plausibleTargets(data))
  const names = mentions.filter(({ from, to, likeness }) =>
    (likeness === 'exact' || likeness === 'partial') && !isElsewhere(from, to)
  ).map(({ columns }) => columns)
  const [only] = names[0] ?? []
  return only !== undefined && likely.has(only.name) &&
      names.every((columns) => columns.length === 1 && columns[0] === only)
    ? only.name
    : undefined
}

type Named = Extract<Finding, { field: 'forecast_target' }>

function among (findings: readonly Named[]): Choice<string | null> {
  const single = new Set(
    findings.filter(({ value }) => value.length === 1).map(({ value }) => value[0]?.name as string)
  )
  // If a name fits several columns, the one that the prompt names elsewhere is meant.
  const unclear = findings.filter(({ value }) => value.length > 1 && !value.some(({ name }) => single.has(name)))
  const [only, ...others] = [...single]
  if (only !== undefined && others.length === 0 && unclear.length === 0) {
    return { value: only, weight: findings[0]?.weight ?? 0 }
  }
  const candidates = new Set([...single, ...unclear.flatMap(({ value }) => value.map(({ name }) => name))])
  return open('forecast_target', 'Which of these columns shall be forecast?', [...candidates])
}

function amongBare (findings: readonly Named[], { data, text }: Reading): Choice<string | null> {
  const most = findings.reduce((weight, finding) => Math.max(weight, finding.weight), 0)
  const surest = findings.filter(({ weight }) => weight === most)
  // `pressure and vibration` are two targets. If names stand apart, the target of the profile counts.
  const areJoined = findings.slice(1).some(({ from }, index) =>
    from === (findings[index] as Named).to + 1 && /^(?:and|or|plus)$/.test(text.key(from - 1))
  )
  if (areJoined) return among(findings)
  const choice = among(surest)
  const { target } = data.roles
  if (choice.value === null && target !== null &&
    surest.some(({ value }) => value.length === 1 && value[0]?.name === target)) return { value: target, weight: 0.5 }
  return choice
}

function unnamed (data: DataProfile): Choice<string | null> {
  const { target } = data.roles
  if (target === null) {
    return open('forecast_target', 'Which column shall be forecast?', numericNames(data))
  }
  const others = otherwiseMeant(data)
  const speaksForItself = nameParts(target).some((part) => targetNames.has(part.toLowerCase()))
  if (others.length === 0 || speaksForItself) return { value: target, weight: inferredWeight }
  return open('forecast_target', 'Which column shall be forecast?', [target, ...others])
}

function likely ({ roles }: DataProfile): string[] {
  return roles.target === null ? roles.otherTargets : [roles.target, ...roles.otherTargets]
}

function numericNames (data: DataProfile): string[] {
  const numeric = data.columns.filter(({ kind, isStatic }) => kind === 'number' && !isStatic).map(({ name }) => name)
  return [...new Set([...likely(data), ...numeric])]
}
