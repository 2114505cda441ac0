import { nameParts, singular } from '../text/fold.ts'

/**
 * The nature of a column: an amount belongs to a span of time and adds up over series and over time; a level belongs to
 * a moment and adds up only over series; a rate adds up over neither.
 */
export type Nature = 'amount' | 'level' | 'rate'

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

const rates = list(`
  price rate adr revpar revpor aov arpu arpa cpc cpm cpa ctr cvr roas nps csat temperature temp ratio share percent percentage pct percentile index indices score rating pressure speed velocity humidity
  utilisation utilization occupancy vibration voltage frequency factor margin yield concentration density irradiance efficiency availability probability latency tariff per
  preis temperatur anteil quote prozent auslastung belegung kurs druck geschwindigkeit feuchte spannung prix taux precio tasa
`)
/** Endings of compound German names: `Zimmerpreis`, `Bettenbelegung`. */
const rateEndings = /.(?:preise?|quoten?|temperatur|auslastung|belegung|anteile?|kurse?)$/
/** Units that include a span of time, such as kWh. They mark an amount, whatever else the name says. */
const amounts = list('kwh mwh gwh twh wh joule energy energie')
const levels = list(`
  load power mw kw gw watt watts megawatt kilowatt stock inventory headcount staff staffing workforce employee employees fte population inhabitants queue backlog balance subscribers unemployed
  leistung netzlast bestand lager lagerbestand einwohner mitarbeiter belegschaft arbeitslose stocks capacity poblacion
`)
const levelEndings = /.(?:bestand|bestaende|bestände|leistung|netzlast)$/
const levelUnit = /(?:^|[^\p{L}])[kMG]W(?:$|[^\p{L}])/u
/** Average durations. */
const durations = /\b(?:load|loading|wait|waiting|response|lead|delivery|handling|processing) times?$/
/**
 * Words that mark a level after a level, and else a rate: `stock_level` and `water_level`, `avg_load` and `avg_basket`.
 */
const openWords = list('level average avg mean median mittel mittelwert durchschnitt moyenne')
/** Signs of ratios: `EUR/MWh`, `% sold`. */
const ratioSign = /%|‰|€\/|\/ ?(?:[kmg]?wh?|unit|h|hour|day|night|t|kg|l|person|head|room|m[²³23]?|km|min|s)\b/i

/** Determines the nature from the name, because nothing else tells it. */
export function natureOf (column: string): Nature {
  const parts = nameParts(column).map((part) => part.toLowerCase())
  const has = (words: ReadonlySet<string>, endings?: RegExp): boolean =>
    parts.some((part) =>
      words.has(part) || (part !== 'shares' && words.has(singular(part))) || endings?.test(part) === true
    )
  if (ratioSign.test(column) || durations.test(parts.join(' ')) || has(rates, rateEndings)) return 'rate'
  const isLevel = (has(levels, levelEndings) || levelUnit.test(column.replaceAll('_', ' '))) && !has(amounts)
  if (has(openWords)) return isLevel ? 'level' : 'rate'
  return isLevel ? 'level' : 'amount'
}
