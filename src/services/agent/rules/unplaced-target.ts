import { namesItselfTarget, plausibleTargets } from '../columns/column-roles.ts'
import { conceptsOf } from '../columns/concepts.ts'
import { isRare } from '../not-used.ts'
import { nameParts, singular, fold } from '../text/fold.ts'
import type { Finding, Reading, Rule } from './rule.ts'
import { endsTarget, isHorizonBehind, targetPlaces } from './target-places.ts'

const stop =
  /^(?:for|fur|fuer|pour|para|by|over|until|till|through|using|with|where|when|in|per|at|on|from|as|between|if|because|since|next|coming|following|without|excluding|except|only|and|then|to|than|but|or|of|will|would|be|do|does|is|are|can|should|shall|we|i|you|look|,|\.|:|;|\(|\))$/
/** Words for whatever is counted, as people say them of any target. */
const plain = new Set(['money', 'units', 'energy', 'traffic', 'calls'])
const maxWords = 4

/** `profit for the next year`, where no column has it: words that stand for the target and are nothing of the file. */
export const unplacedTargetRule: Rule = (reading) => {
  const { data, text } = reading
  const { target } = data.roles
  if (target === null) return []
  const isAnything = namesItselfTarget(target)
  const findings: Finding[] = []
  for (const { from, isSure, isQuestion } of targetPlaces(text)) {
    const words = wordsAt(reading, from)
    if (words === undefined) continue
    // A column that is called the target is whatever people call it.
    if (isAnything) {
      if (endsTarget(text, words.to)) {
        findings.push({ field: 'none', value: null, from: words.from, to: words.to, weight: 0.3 })
      }
      continue
    }
    if (!isSure && !isHorizonBehind(text, words.to)) continue
    const head = text.tokens[words.to - 1]?.parts.at(-1) ?? ''
    const place = { from: words.from, to: words.to, weight: 0.3 }
    // `how many people will come` is any target.
    if (isQuestion && !isOther(head, target)) continue
    const isOpen = plausibleTargets(data).length > 1 || isOther(head, target)
    if (isOpen) {
      findings.push({ field: 'unplaced_target', value: text.source(words.from, words.to).slice(0, 60), ...place })
    } else if (!conceptsOf(head).some((concept) => plain.has(concept))) {
      findings.push({
        field: 'user_constraints',
        value: `Not used: ${text.source(words.from, words.to).slice(0, 60)}`,
        ...place
      })
    }
  }
  return findings
}

/**
 * The words of a place up to where it ends; undefined where one of them is a name of the data, or all are words of
 * every day.
 */
function wordsAt ({ text, mentions, values }: Reading, from: number): { from: number, to: number } | undefined {
  let to = from
  while (to < from + maxWords && to < text.tokens.length && text.tokens[to]?.kind === 'word' &&
    !stop.test(text.key(to)) && !isHorizonBehind(text, to)) to++
  const isNamed = [...mentions, ...values].some((mention) => mention.from < to && mention.to > from)
  let last = to
  while (last > from && !isRare(text.key(last - 1))) last--
  return isNamed || last === from ||
      (to < text.tokens.length && text.tokens[to]?.kind === 'word' && !stop.test(text.key(to)) &&
        !isHorizonBehind(text, to))
    ? undefined
    : { from, to: last }
}

/** Whether a word means something else than the target's name does: `profit` is not `units_sold`. */
function isOther (word: string, target: string): boolean {
  const [said, had] = [conceptsOf(word), nameParts(target).flatMap((part) => conceptsOf(singular(fold(part))))]
  return said.length > 0 && had.length > 0 && !said.some((concept) => had.includes(concept))
}
