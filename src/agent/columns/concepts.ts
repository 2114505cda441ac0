const concepts: Record<string, string> = {
  money: 'sale revenue turnover income taking earning umsatz umsatze umsaetze erlos erloese vente ingreso receipt billing',
  units: 'sale demand quantity qty unit volume sold menge stuckzahl stueckzahl absatz order piece shipment shipped',
  energy: 'load demand consumption consumed consume power electricity energy usage mw kw kwh mwh verbrauch volume',
  traffic: 'traffic visit visitor session pageview hit footfall view volume besuch besuche besucher',
  calls: 'call ticket contact inquiry enquiry volume anruf anrufe telefonat appel llamada',
  costs: 'cost expense expenditure spending spend outgoing kosten opex',
  profit: 'profit ebitda margin earning',
  price: 'price preis prix tariff',
  temperature: 'temperature temp temperatur',
  wind: 'wind windspeed',
  promotion: 'promotion promo promotional campaign discount aktion offer deal',
  stock: 'stock inventory',
  staff: 'staff staffing headcount employee agent fte workforce personnel mitarbeiter personal belegschaft',
  advertising: 'ad advert advertising advertisement marketing',
  holiday: 'holiday vacation feiertag feiertage ferien urlaub',
  place: 'store shop branch filiale outlet location site standort geschaft geschaeft magasin tienda',
  product: 'product sku item article artikel',
  region: 'region area territory state country province',
  signup: 'signup registration',
  cash: 'cash liquidity',
  sensor: 'sensor device machine pump meter',
  weather: 'weather wetter'
}
/** Measures that are defined: another one of the same meaning is not it. */
export const measures: ReadonlySet<string> = new Set(['ebitda', 'ebit', 'opex', 'fte'])

const wordsOf = Object.entries(concepts).map(([name, words]) => ({ name, words: new Set(words.split(' ')) }))

/** What a word may mean, the likeliest first; words of one meaning stand for each other in names of columns. */
export function conceptsOf (word: string): string[] {
  return wordsOf.filter(({ words }) => words.has(word)).map(({ name }) => name)
}
