import { nameParts, singular } from '../../platform/text/fold.ts'
import { wordSets } from '../../platform/text/word-sets.ts'
import lists from './nature-words.json' with { type: 'json' }

/**
 * The nature of a column: an amount belongs to a span of time and adds up over series and over time; a level belongs to
 * a moment and adds up only over series; a rate adds up over neither.
 */
export type Nature = 'amount' | 'level' | 'rate'

const words = wordSets(lists)

/** Endings of compound German names: `Zimmerpreis`, `Bettenbelegung`. */
const rateEndings = /.(?:preise?|quoten?|temperatur|auslastung|belegung|anteile?|kurse?)$/
const levelEndings = /.(?:bestand|bestaende|bestände|leistung|netzlast)$/
const levelUnit = /(?:^|[^\p{L}])[kMG]W(?:$|[^\p{L}])/u
/** Average durations. */
const durations = /\b(?:load|loading|wait|waiting|response|lead|delivery|handling|processing) times?$/
/** Signs of ratios: `EUR/MWh`, `% sold`. */
const ratioSign = /%|‰|€\/|\/ ?(?:[kmg]?wh?|unit|h|hour|day|night|t|kg|l|person|head|room|m[²³23]?|km|min|s)\b/i

/** Determines the nature from the name, because nothing else tells it. */
export function natureOf (column: string): Nature {
  const parts = nameParts(column).map((part) => part.toLowerCase())
  const has = (list: ReadonlySet<string>, endings?: RegExp): boolean =>
    parts.some((part) =>
      list.has(part) || (part !== 'shares' && list.has(singular(part))) || endings?.test(part) === true
    )
  if (ratioSign.test(column) || durations.test(parts.join(' ')) || has(words.rates, rateEndings)) return 'rate'
  const isLevel = (has(words.levels, levelEndings) || levelUnit.test(column.replaceAll('_', ' '))) &&
    !has(words.amounts)
  // Words that mark a level after a level, and else a rate: `stock_level` and `water_level`, `avg_load` and
  // `avg_basket`.
  if (has(words.averages)) return isLevel ? 'level' : 'rate'
  return isLevel ? 'level' : 'amount'
}
