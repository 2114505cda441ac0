import type { ProfiledColumn } from '../../../domain/data-profile.ts'
import { isPlausibleTarget, mayBeTarget, namesItselfTarget } from '../columns/column-roles.ts'
import type { Mention } from '../columns/mentions.ts'
import { phrase, type PromptText } from '../text/prompt-text.ts'
import { unitPattern } from '../time/horizon-wish.ts'
import { foreignFor, foreignNext, foreignUnits } from './foreign-lengths.ts'
import type { Reading } from './rule.ts'

/** Where a prompt says in so many words what shall be forecast. */
export interface TargetPlace {
  /** The first token of what stands there. */
  from: number
  /**
   * `forecast X`, or `X for the next 6 weeks`, where nothing else can be meant: the words are the target, whatever they
   * are.
   */
  isSure: boolean
  /** `how many X will we have`, `what will X be`: people say it in words of their own. */
  isQuestion: boolean
}

const lead = phrase(
  '(?:forecast|forecasting|predict|predicting|prediction|project|projecting|projection|estimate|estimating|extrapolate|forecaster|(?:target|target ' +
    'column|target variable|dependent variable)(?: (?:variable|column|is|=|:)){1,3})(?: (?:of|me|us|out)){0,2}'
)
const question = phrase('how (?:much|many)|what (?:will|would|is|are)(?: (?:happen to|become of))?')
const product = phrase('(?:forecast|forecasting|prediction|projection|outlook)')
const addressed = / (?:dear|hi|hello|hey|our|your|my) $/
/** What a noun phrase begins with. */
const fillers = new Set(
  'a an the my our your their its total overall future expected average daily weekly monthly quarterly yearly hourly annual all " \' column please pls plz just only and also i we need want get show give me us'
    .split(' ')
)
const maxFillers = 5
/** What may follow the words that a sentence begins with where they are what shall be forecast. */
const follower =
  /^(?:for|fur|fuer|pour|para|by|per|over|until|till|through|thru|up|next|coming|following|upcoming|in|within|at|each|every|split|broken|grouped|and|forecast|forecasting|prediction|outlook|projection|,|:|-|\(|"|'|\/|\.|daily|weekly|monthly|quarterly|yearly|hourly|only|\d.*)$/
const horizonBehind = new RegExp(
  `^ (?:for|over|in|within|during|until|till|through|,|:|-|im|${foreignFor})? ` +
    '?(?:(?:the|die|den|das|les|los|las|le|el) )?(?:(?:next|coming|following|upcoming|rest of|remainder ' +
    `of|remaining|${foreignNext}) |\\d+(?:\\.\\d+)? (?:(?:${foreignNext}) ` +
    `)?(?:${unitPattern}|step|period|point|${foreignUnits}) |(?:until|till|through) |fy ?\\d)`
)

/** `forecast X`, `the target is X`, and what a sentence begins with. */
export function targetPlaces (text: PromptText): TargetPlace[] {
  const places = new Map<number, boolean>()
  const questions = new Set([...text.find(question)].map(({ to }) => to))
  // `dear forecasting desk`, `our forecast team` are people.
  for (const { from, to } of text.find(lead)) {
    if (to < text.tokens.length && !(to === from + 1 && addressed.test(text.keys(from - 1, from)))) places.set(to, true)
  }
  for (let at = 0; at < text.tokens.length; at = text.sentenceEnd(at) + 1) if (!places.has(at)) places.set(at, false)
  for (const at of questions) if (!places.has(at)) places.set(at, true)
  return [...places].map(([from, isSure]) => ({
    from: skipFillers(text, from),
    isSure,
    isQuestion: questions.has(from)
  })).filter(({ from }) => from < text.tokens.length && !isVerb(text, from))
}

/** What `we` is followed by is what we do. */
function isVerb (text: PromptText, index: number): boolean {
  return /^(?:i|we)$/.test(text.key(index - 1))
}

function skipFillers (text: PromptText, from: number): number {
  let at = from
  while (at < from + maxFillers && fillers.has(text.key(at))) at++
  return at
}

/** Whether a noun phrase ends before a token, as one does that stands for a target: `X for`, `X by`, `X, `, the end. */
export function endsTarget (text: PromptText, to: number): boolean {
  return to >= text.tokens.length || follower.test(text.key(to))
}

/** Whether what is behind a noun phrase is how far it shall be forecast, or the word forecast. */
export function isHorizonBehind (text: PromptText, to: number): boolean {
  return horizonBehind.test(text.keys(to, to + 5)) || product.test(text.keys(to, to + 1)) ||
    /^ (?:by|per) \S+(?: \S+)? (?:for|over|until|till|next|,) /.test(text.keys(to, to + 4))
}

/** `twelve weeks of units sold`. */
const lengthOf = new RegExp(` \\d+ (?:${unitPattern}|step|period)(?: worth)? of $`)

const clauseMark = /^(?:,|;|:|\(|\)|\.|-)$/
const subordinate =
  / (?:when|where|whenever|while|if|unless|whether|which|because|since|although|though|incl|including|with|without|using|given|considering|despite|depending|depends|affect|affecting|affects|driven|excluding|except|(?:have|has|having)(?! (?:got )?to | an? (?:quick |good |close )?(?:look|go|forecast|view|idea|guess|number|figure|feel|sense|think|chance) )) /
const statement =
  /^ (?:(?:columns?|data|values?|changes|calendar) )?(?:(?:(?:is|are)(?! (?:what|the ones?|all (?:we|i)) )|was|were|will be|has been|have been|being|gets?) |matters? |drives? |affects? |influences? |depends? )/

/**
 * Whether a mention stands beside what is asked for: in `when the shop is open`, `incl. price`, `promotions are
 * planned`.
 */
function isAside ({ text, mentionAt }: Reading, { from, to }: Mention): boolean {
  let first = from
  while (first > 0 && first > from - 12 && !clauseMark.test(text.key(first - 1))) first--
  // `which stock will we have` asks for it.
  if (text.key(first) === 'which' && (first === 0 || text.key(first - 1) === '.')) first++
  // Of `price and promotions are planned` both.
  let end = to
  while (/^(?:and|,|or)$/.test(text.key(end)) && mentionAt.has(end + 1)) end = (mentionAt.get(end + 1) as Mention).to
  return subordinate.test(text.keys(first, from)) || statement.test(text.keys(end, end + 3))
}

/** Whether a mention stands where a target does: `X for the next 6 weeks`, or first in a sentence. */
export function isFramed (reading: Reading, mention: Mention): boolean {
  const { text } = reading
  const { from, to } = mention
  let first = from
  while (first > 0 && first > from - maxFillers && fillers.has(text.key(first - 1))) first--
  if (isVerb(text, from)) return false
  if (lengthOf.test(text.keys(first - 3, first))) return true
  const opens = first === 0 || text.key(first - 1) === '.'
  return opens ? endsTarget(text, to) : isHorizonBehind(text, to) && !isAside(reading, mention)
}

/**
 * The columns of a mention that may be what shall be forecast though nothing says so: with values of their own, not
 * said on the side, and not beside one that is called the target.
 */
export function columnsMeant (reading: Reading, mention: Mention): ProfiledColumn[] {
  const { target } = reading.data.roles
  const columns = isVerb(reading.text, mention.from) ? [] : mention.columns.filter(mayBeTarget)
  if (columns.length === 0 || isFramed(reading, mention)) return columns
  const mayBeAny = (target === null || !namesItselfTarget(target)) && !isAside(reading, mention)
  return columns.filter((column) => column.name === target || (mayBeAny && isPlausibleTarget(column)))
}
