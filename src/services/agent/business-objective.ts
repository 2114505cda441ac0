import { phrase, type Match, type PromptText } from './text/prompt-text.ts'

const maxWords = 24
const subject = '(?:we|i|they|you|our team|the team|our|management|the business|planners|people)'
const reason = phrase(
  `(?:so that|so|such that)(?: ${subject} (?:can|could|will|are able to|may|know|would be able to))|in order ` +
    'to|(?:our|the|my) (?:business )?(?:goal|aim|purpose|objective|intention|idea) (?:is|here is|of this is)(?: ' +
    `to)?|because ${subject} (?:need to|have to|want to|must|are|plan to|will)|to help(?: us| me)?|helps(?: us| ` +
    'me)?|help us|(?:needed|used|required|this is|need this|need it|it is) for|for the purpose of'
)
const planning = phrase(
  'to ' +
    '(?:plan|decide|reduce|avoid|staff|schedule|budget|prepare|allocate|manage|size|improve|restock|order|optimi[sz]e|set|negotiate|hedge|buy|procure|support|cut|balance|prevent|guide)|for ' +
    '(?:\\S+ ' +
    ')?(?:planning|budgeting|staffing|scheduling|procurement|purchasing|rostering|replenishment|hedging|trading|purposes)|(?:we|i) ' +
    '(?:are|am) (?:planning|restocking|preparing|budgeting|deciding|negotiating|hiring)'
)

/** What the forecast is for, in the sender's words; null where the prompt does not say it. */
export function readObjective (text: PromptText): { value: string, from: number, to: number } | null {
  const named = text.find(reason).next().value as Match | undefined
  const meant = text.find(planning).next().value as Match | undefined
  const found = named ?? meant
  if (found === undefined) return null
  // Of `so that we can` the rest is the objective, of `to plan` and `for planning` all but the preposition.
  const from = named === undefined
    ? (/^(?:to|for)$/.test(text.key(found.from)) ? found.from + 1 : found.from)
    : found.to
  let to = from
  while (to < text.tokens.length && to < from + maxWords && !/^[.,:()]$/.test(text.key(to)) &&
    !(to > from + 1 && / (?:next|until|through|using|with|excluding) /.test(text.keys(to, to + 1)))) to++
  const value = text.source(from, to).replaceAll(/\s+/g, ' ').trim()
  return value === '' ? null : { value: value.slice(0, 200), from: found.from, to }
}
