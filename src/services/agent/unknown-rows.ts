import type { DataProfile } from '../../domain/data-profile.ts'
import type { ClarificationQuestion } from '../../domain/forecast-intent.ts'
import { mayGroup } from './columns/column-roles.ts'
import type { LostWords } from './not-used.ts'
import { editDistance } from '../../platform/edit-distance.ts'
import { ask } from './questions.ts'
import type { Finding } from './reading.ts'

/** What begins or ends words that say of which rows. */
const rowWords = /^(?:only|just|except|excluding|exclude|excl|without|remove|removing|drop|dropping|omit|omitting|skip|skipping|leave out|leaving out|leave|between)\b|\bonly$|\bwhere\b.*(?:[=<>]|\b(?:is|are|equals?|contains?)\b)/iu
const ofSentence = /^(?:only|except|excluding|without)\b|\bonly$/iu
/** About the model or about what is missing, whatever stands before it. */
const ofModel = /\b(?:log|scale|model|models|transform|transformation|normali[sz]ation|trend|season\w*|noise|decimals?|rounding|explanation|explanations|report|plots?|charts?|weather|holidays?|promotions?|covariates?|features?|drivers?|intervals?|bands?|uncertainty|training|backtest\w*|missing|blanks?|empty|nulls?|gaps?|zeros?|outliers?|setting|set(?:up)?|repeat\w*|recurring|schedul\w*|fuss|ado|delay|rules|limits|errors?|help|further|asking)\b/iu
/** Words that series are asked for by. */
const groupWords = /^(?:by|per|for each|for every|each|every|split by|split|grouped by|group by|broken down by)\s+\p{L}/iu
/** `fixed in advance by the category team`: who does it. */
const doneBy = / (?:fixed|set|planned|decided|given|defined|approved|provided|delivered|confirmed|published|released|scheduled|managed|owned|maintained|run|made|chosen|entered|driven|caused|written|signed|led|used|read|reviewed|checked|prepared|paid|sent|asked|requested|hit|affected) (?:(?:in advance|ahead|beforehand|up front|off|mostly|mainly|only|always) )?$/
const ofDelivery = /\b(?:e-?mail|mail|post|hand|default|api|csv|s?ftp|excel|pdf|morning|evening|noon|end|close|then|now|using|means?|hook|webhook|slack|teams)\b/iu
const maxWords = 100
const maxCompared = 200
/** So few values are named where none is like it. */
const maxListed = 8

/** Words before what says of which rows, in tokens. */
const near = 3

/** A question where the prompt limits what shall be forecast to rows that the data do not have, or that nobody can tell: all rows are something else. `lost`: words that went nowhere. */
export function askForRows (named: readonly string[], lost: readonly LostWords[], findings: readonly Finding[], data: DataProfile): ClarificationQuestion | undefined {
  // `leave out days when`, before a filter, is a part of it.
  const isLead = ({ to }: LostWords): boolean => findings.some(({ field, from }) => field === 'filters' && from >= to && from < to + near)
  const untold = lost.filter((part) => (part.isSentence ? ofSentence : rowWords).test(part.words) && !ofModel.test(part.words) && !isLead(part)).map(({ words }) => words)
  const [first] = [...named, ...untold]
  if (first === undefined) return undefined
  return ask('filters', `"${first.slice(0, maxWords)}" cannot be made a filter of these data. Which rows shall be forecast?`, likeValues(first.slice(0, maxWords), data))
}

/** A question where the prompt wants series by something that the data do not have. */
export function askForGroups (lost: readonly LostWords[], data: DataProfile): ClarificationQuestion | undefined {
  const first = lost.find(({ words, isSentence, before }) => !isSentence && groupWords.test(words) && !ofDelivery.test(words) && !(/^by\b/i.test(words) && doneBy.test(before)))
  if (first === undefined) return undefined
  const columns = data.columns.filter((column) => mayGroup(column)).map(({ name }) => name)
  return ask('grouping_dimensions', `The data have nothing for "${first.words.slice(0, maxWords)}". By which columns shall be forecast?`, columns)
}

/** Values of the file that are like the words, or all where there are few. */
function likeValues (words: string, { columns }: DataProfile): string[] {
  const values = [...new Set(columns.filter(({ kind, distinct }) => kind === 'text' && distinct > 1).flatMap(({ values }) => values.slice(0, maxCompared)))].filter((value) => value !== '').slice(0, maxCompared)
  const name = words.replace(rowWords, '').trim().toLowerCase().slice(0, 40)
  const like = values.map((value) => ({ value, distance: editDistance(name, value.toLowerCase().slice(0, 40)) }))
    .filter(({ value, distance }) => distance <= Math.max(1, value.length / 3)).sort((one, other) => one.distance - other.distance)
  return like.length > 0 ? like.map(({ value }) => value) : values.length <= maxListed ? values : []
}
