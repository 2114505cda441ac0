import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DataProfile } from '../../src/domain/data-profile.ts'
import type { ForecastIntent, IntentFilter } from '../../src/domain/forecast-intent.ts'
import { extractIntent } from '../../src/services/agent/extract-intent.ts'
import { filterValues } from '../../src/services/recommendations/filter-values.ts'

export const agentSchemas = [
  'calls',
  'energy',
  'filialen',
  'finance',
  'retail',
  'sensors',
  'web',
  'wide',
  'contact_centre',
  'depots',
  'drugstore',
  'hosts',
  'segments',
  'smartmeter',
  'szpital',
  'tourism',
  'bills',
  'drinks',
  'hotel',
  'bloodbank',
  'gasnet',
  'grower',
  'payments',
  'skigebiet',
  'toys'
]
export const promptFiles = ['prompts.json', 'more-prompts.json', 'third-prompts.json', 'fourth-prompts.json',
  'fifth-prompts.json', 'sixth-prompts.json', 'seventh-prompts.json']

/**
 * A prompt about one of the files, with those fields of its intent that a reader would agree on, and what has to be
 * asked.
 */
export interface AgentPrompt {
  id: string
  group: string
  schema: string
  prompt: string
  ask: string[]
  expect: Partial<ForecastIntent>
}

export interface PromptScore {
  prompt: AgentPrompt
  intent: ForecastIntent
  /** Fields that are not as expected. */
  wrong: string[]
  fields: number
  /** Questions that were asked without need, and those needed that were not. */
  needless: string[]
  unasked: string[]
  /** Names in the intent that are no columns of the data. */
  invented: string[]
}

export interface PromptRates {
  prompts: number
  fieldAccuracy: number
  exactIntents: number
  inventedColumns: number
  /** Share of the prompts that need no question and get one. */
  needlessQuestions: number
  /** Share of the questions needed that are asked. */
  askedQuestions: number
}

const folder = join('test', 'fixtures', 'agent')
const profiles = new Map<string, DataProfile>()

export function agentProfile (schema: string): DataProfile {
  const known = profiles.get(schema)
  if (known !== undefined) return known
  const profile = JSON.parse(readFileSync(join(folder, `${schema}.profile.json`), 'utf8')) as DataProfile
  profiles.set(schema, profile)
  return profile
}

export function agentPrompts (file = 'prompts.json'): AgentPrompt[] {
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as AgentPrompt[]
}

export function scorePrompt (prompt: AgentPrompt): PromptScore {
  const profile = agentProfile(prompt.schema)
  const intent = extractIntent(prompt.prompt, profile)
  const expected = Object.entries(prompt.expect) as [keyof ForecastIntent, unknown][]
  const asked = intent.clarification_questions.map(({ field }) => field)
  return {
    prompt,
    intent,
    wrong: expected.filter(([field, value]) => comparable(field, intent[field]) !== comparable(field, value)).map((
      [field]
    ) => field),
    fields: expected.length,
    needless: asked.filter((field) => !prompt.ask.includes(field)),
    unasked: prompt.ask.filter((field) => !asked.includes(field)),
    invented: namedColumns(intent).filter((name) => !profile.columns.some((column) => column.name === name))
  }
}

export function ratesOf (scores: readonly PromptScore[]): PromptRates {
  const sum = (count: (score: PromptScore) => number): number =>
    scores.reduce((total, score) => total + count(score), 0)
  const complete = scores.filter(({ prompt }) => prompt.ask.length === 0)
  return {
    prompts: scores.length,
    fieldAccuracy: 1 - sum(({ wrong }) => wrong.length) / sum(({ fields }) => fields),
    exactIntents:
      scores.filter(({ wrong, needless, unasked }) => wrong.length + needless.length + unasked.length === 0).length /
      scores.length,
    inventedColumns: sum(({ invented }) => invented.length),
    needlessQuestions: complete.filter(({ needless }) => needless.length > 0).length / Math.max(1, complete.length),
    askedQuestions: 1 - sum(({ unasked }) => unasked.length) / Math.max(1, sum(({ prompt }) => prompt.ask.length))
  }
}

/** Every column that an intent names. */
export function namedColumns (intent: ForecastIntent): string[] {
  const {
    forecast_target: target,
    time_column: time,
    entity_columns: entity,
    grouping_dimensions: grouping,
    covariates,
    known_future_features: known,
    historical_features: historical,
    filters
  } = intent
  return [target, time, ...entity, ...grouping, ...covariates, ...known, ...historical,
    ...filters.map(({ column }) => column)].filter((name) => name !== null)
}

/** Lists in any order, several values of a filter in any order, and sentences in any case are the same. */
function comparable (field: keyof ForecastIntent, value: unknown): string {
  if (field === 'filters') {
    return JSON.stringify(
      (value as IntentFilter[]).map(({ column, op, value: of }) => [column, op, filterValues(of).sort()]).sort()
    )
  }
  if (field === 'business_objective') return String(value).toLowerCase().replace(/^to /, '')
  return JSON.stringify(Array.isArray(value) ? [...value].sort() : value)
}
