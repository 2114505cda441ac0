import { shownText } from '../shown-text.ts'
import { hasDeniedName } from './neutral-text.ts'

/** The sentences of an explanation, in all its parts. */
export interface ExplanationWords {
  headline: string
  narrative: string
  dataFindings: string[]
  forecastSummary: string[]
  operationalImplications: string[]
  caveats: string[]
}

const longest = 400

/** Each sentence once, in order of appearance. */
export function sentencesOf (
  { headline, dataFindings, forecastSummary, operationalImplications, caveats }: ExplanationWords
): string[] {
  return [
    ...new Set([...headline === '' ? [] : [headline], ...dataFindings, ...forecastSummary, ...operationalImplications,
      ...caveats])
  ]
}

/**
 * The explanation with other words for each of its sentences. undefined if one of them says something else: another
 * number, name, date, direction or certainty, a cause, a vendor, or more than a sentence.
 */
export function rephrased<W extends ExplanationWords> (words: W, replies: readonly unknown[]): W | undefined {
  const sentences = sentencesOf(words)
  if (replies.length !== sentences.length) return undefined
  const found = new Map<string, string>()
  for (const [index, sentence] of sentences.entries()) {
    const reply = replies[index]
    if (typeof reply !== 'string' || !saysTheSame(sentence, reply)) return undefined
    found.set(sentence, reply.trim())
  }
  const of = (sentence: string) => found.get(sentence) ?? sentence
  const all = (list: readonly string[]) => list.map(of)
  const { headline, narrative, dataFindings, forecastSummary, operationalImplications, caveats } = words
  return {
    ...words,
    headline: of(headline),
    narrative: inOrder(narrative, sentences).map(of).join(' '),
    ...{
      dataFindings: all(dataFindings),
      forecastSummary: all(forecastSummary),
      operationalImplications: all(operationalImplications),
      caveats: all(caveats)
    }
  }
}

/** The sentences that make up a text. */
function inOrder (text: string, sentences: readonly string[]): string[] {
  const found: string[] = []
  let rest = text
  while (rest !== '') {
    const next = sentences.find((sentence) => rest.startsWith(sentence))
    if (next === undefined) return [...found, rest]
    found.push(next)
    rest = rest.slice(next.length).trimStart()
  }
  return found
}

/**
 * Words that reverse a sentence, or that make it more certain. A reply must contain a word of a group exactly if the
 * sentence does.
 */
const groups: readonly RegExp[] = [
  /\b(?:above|higher|highest|larger|largest|rises?|rose|rising|up|upward|increases?|increased|grew|grows?|growing|growth|widens?|wider?|more)\b/i,
  /\b(?:below|lower|lowest|smaller|smallest|falls?|fell|falling|down|downward|decreases?|decreased|declines?|declined|drops?|dropped|shrinks?|less|narrow(?:er)?)\b/i,
  /\b(?:not|no|never|none|without|nothing)\b|n['’]t\b/i,
  /\b(?:better|outperforms?)\b/i,
  /\b(?:worse)\b/i,
  /\b(?:likely|probably)\b/i,
  /\b(?:uncertain|unsure)\b/i,
  /\b(?:may|might|could|possibly)\b/i
]
const dayOrMonth =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Mondays?|Tuesdays?|Wednesdays?|Thursdays?|Fridays?|Saturdays?|Sundays?)\b/g
const figure = /[-−+]?\d(?:[\d.,:/-]*\d)?/g
const quotedName = /“[^“”]*”/gu
const banned =
  /\b(?:because|caus(?:e|es|ed|al|ing)|will|guarantee[ds]?|due to|therefore|thanks to|leads? to|drives?|driven)\b|https?:|www\.|[<>{}[\]`*_#|\\]/i

function saysTheSame (sentence: string, reply: string): boolean {
  const text = reply.trim()
  if (text === '' || text.length > Math.min(longest, 2 * sentence.length + 80)) return false
  // A reply that would have to be altered before it could be shown is rejected.
  const plain = (of: string) => of.replaceAll(/[\u{A0}\u{202F}]/gu, ' ')
  if (shownText(plain(text), longest) !== plain(text)) return false
  const [theirs, ours] = [plain(text), plain(sentence)].map(withoutNames) as [string, string]
  return !banned.test(theirs) && !hasDeniedName(theirs) &&
    equal(matches(sentence, quotedName), matches(text, quotedName)) &&
    [figure, dayOrMonth].every((pattern) => equal(matches(ours, pattern), matches(theirs, pattern))) &&
    groups.every((group) => group.test(ours) === group.test(theirs))
}

const withoutNames = (text: string): string => text.replaceAll(quotedName, '“”')

function matches (text: string, pattern: RegExp): string[] {
  return [...text.match(pattern) ?? []].sort()
}

function equal (left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((one, index) => one === right[index])
}
