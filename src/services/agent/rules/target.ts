import { mayBeTarget } from '../columns/column-roles.ts'
import { isName, type Mention } from '../columns/mentions.ts'
import { phrase } from '../text/prompt-text.ts'
import { readColumns } from './lists.ts'
import type { Finding, Reading, Rule } from './rule.ts'
import { columnsMeant, isFramed } from './target-places.ts'

const said = phrase(
  '(?:the )?(?:target|target column|target variable|dependent variable|variable to (?:forecast|predict)|column to ' +
    '(?:forecast|predict)|forecast column)(?: (?:variable|column|is|are|=|:|should|be|to|will|the|called|named)){0,4}'
)
const lead = phrase(
  '(?:forecast|forecasting|predict|predicting|prediction|project|projecting|projection|estimate|estimating|extrapolate|anticipate|model|modelling|modeling|outlook|expect|expecting|need|want|give ' +
    'me|show me|tell me|get|how many|how much|how ' +
    '(?:hot|warm|cold|cool|high|low|big|large|strong|expensive)|what|where|know|see|forecaster|happen with|happen ' +
    'to|happens with|happens to|happening with|going on with|what about|how about|a look at)(?: ' +
    '(?:for|of|on|is|will|out|about|are|to|me|us|a|forecast|prediction|know|see|get|predict|have|be)){0,4}'
)
const asTarget = phrase('as (?:the |a |our )?(?:target|target column|target variable|dependent variable)')
const product = phrase(
  '(?:(?:volume|volumes|numbers|figures|count|counts|level|levels|total|totals|value) ' +
    ')?(?:forecast|forecasting|prediction|projection|outlook|estimate)'
)
/** `how many patients will be discharged` asks for discharges. */
const passive =
  /^(?:will|would|shall|are|is|do|does|did|can|we|they|be|get|gets|going|likely|expected|to|probably|actually|you)$/
const stop =
  /^(?:for|by|over|until|till|through|using|with|where|when|in|per|at|on|from|as|between|if|because|since|next|coming|following|without|excluding|except|only|and|then|to|than|but|or|,|\.|:|;|\(|\))$/
const maxWordsBetween = 7
/** `signups rather than visits`, `not visits`. */
const rejected =
  / (?:not|dont need|dont want|dont care about|rather than|instead of|nor|as opposed to|never|isnt) (?:(?:the|our|for|of|forecast|predict|about|\d+|\)|:|any) ){0,2}$/

export const targetWeights = { said: 1, asked: 0.95, framed: 0.68, bare: 0.6 }

/**
 * Which column is to be forecast: `predict net revenue`, `visits forecast`, `the target is headcount`, or only a name.
 */
export const targetRule: Rule = (reading) => {
  const { text } = reading
  const findings: Finding[] = []
  const isRejected = (from: number): boolean => rejected.test(text.keys(from - 4, from))
  const addList = (index: number, weight: number): boolean => {
    const list = readColumns(reading, index, mayBeTarget)
    list?.items.forEach(({ from, to, columns }) => {
      if (!isRejected(from)) findings.push({ field: 'forecast_target', value: columns, from, to, weight })
    })
    return list !== undefined
  }
  for (const { to } of text.find(said)) if (!addList(to, targetWeights.said)) addUnknown(reading, to, findings)
  for (const { from, to } of text.find(asTarget)) {
    const mention = reading.mentionBefore.get(text.key(from - 1) === '"' ? from - 1 : from)
    const columns = mention?.columns.filter(mayBeTarget) ?? []
    if (mention !== undefined && columns.length > 0) {
      findings.push({ field: 'forecast_target', value: columns, from: mention.from, to, weight: targetWeights.said })
    }
  }
  for (const { from, to } of text.find(lead)) {
    const first = text.key(to) === ':' ? to + 1 : to
    for (let at = first; at < Math.min(first + maxWordsBetween, text.tokens.length); at++) {
      const mention = reading.mentionAt.get(at)
      if (mention?.columns.some(mayBeTarget) === true) {
        addList(text.key(from) === 'how' ? verbBehind(reading, mention) ?? at : at, targetWeights.asked)
        break
      }
      if (addUnknown(reading, at, findings) || stop.test(text.key(at))) break
    }
  }
  for (const { from } of text.find(product)) {
    const mention = reading.mentionBefore.get(from)
    const columns = mention?.columns.filter(mayBeTarget) ?? []
    if (mention !== undefined && columns.length > 0) {
      findings.push({
        field: 'forecast_target',
        value: columns,
        from: mention.from,
        to: mention.to,
        weight: targetWeights.asked
      })
    }
  }
  for (const mention of reading.mentions) {
    const { from, to, likeness } = mention
    const meant = columnsMeant(reading, mention)
    const weight = isFramed(reading, mention) ? targetWeights.framed : targetWeights.bare
    if (meant.length > 0 && !isRejected(from)) {
      findings.push({
        field: 'forecast_target',
        value: meant,
        from,
        to,
        weight: weight - (likeness === 'exact' ? 0 : likeness === 'partial' ? 0.01 : 0.02)
      })
    }
  }
  return findings
}

/** A name in quotation marks, or one written as only columns are, that the file does not have. */
function addUnknown (reading: Reading, index: number, findings: Finding[]): boolean {
  const { text } = reading
  const at = /^["']$/.test(text.key(index)) ? index + 1 : index
  const token = text.tokens[at]
  if (token?.kind !== 'word' || reading.mentionAt.has(at) || reading.valueAt.has(at)) return false
  const source = text.source(at, at + 1)
  const isIdentifier = /\w_\w|__|\p{Ll}\p{Lu}/u.test(source)
  if (!isIdentifier && !(at > index && isName(text, at, at + 1))) return false
  findings.push({
    field: 'unknown_target',
    value: source.slice(0, 60),
    from: at,
    to: at + 1,
    weight: targetWeights.asked
  })
  return true
}

/** Where what is counted is said by a verb that names a column, and the noun is only another word for one. */
function verbBehind ({ text, mentionAt }: Reading, { to, likeness }: Mention): number | undefined {
  if (likeness !== 'synonym' && likeness !== 'fuzzy') return undefined
  let at = to
  while (at < to + maxWordsBetween && passive.test(text.key(at))) at++
  const verb = at === to ? undefined : mentionAt.get(at)
  return verb?.columns.filter(mayBeTarget).length === 1 ? at : undefined
}
