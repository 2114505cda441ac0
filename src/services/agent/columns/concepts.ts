const concepts: Record<string, string> = {
  money: 'sale revenue turnover income taking earning proceed top_line topline gross umsatz umsatze umsaetze erlos ' +
    'erloese vente ingreso receipt billing ricavi ricavo fatturato omzet przychod przychody sprzedaz receita ' +
    'faturamento venta intakt intakter',
  units: 'sale demand quantity qty unit volume sold menge stuckzahl stueckzahl absatz order piece shipment shipped ' +
    'quantite cantidad quantita aantal ilosc antal quantidade',
  orders: 'order purchase booking bestellung commande pedido ordine zamowienie zamowienia',
  intake: 'intake order booking',
  energy:
    'load demand consumption consumed consume power electricity energy usage draw mw kw kwh mwh gwh verbrauch volume ' +
    'consommation consumo zuzycie energia verbruik',
  traffic:
    'traffic page_view foot_fall visit visitor session pageview hit footfall view volume admission attendance besuch ' +
    'besuche besucher visite visita wizyta wizyt bezoek bezoeker',
  appointments: 'appointment visit consultation admission attendance patient termin wizyta wizyt',
  calls: 'call ticket contact inquiry enquiry volume anruf anrufe telefonat appel llamada chiamata telefon',
  absence:
    'absence no_show noshow absenteeism nonattendance nieobecnosc nieobecnosci fehlzeit abwesenheit ausencia assenza',
  returns: 'return come_back send_back sent_back came_back bring_back refund retoure retour devolution',
  costs: 'cost expense expenditure spending spend outgoing kosten opex cout costo coste koszt koszty',
  profit: 'profit bottom_line ebitda ebit margin earning profitability gewinn ergebnis beneficio utile zysk',
  abandonment: 'abandoned abandonment abandon hang_up hung_up dropout',
  churn: 'churn cancellation attrition',
  customers: 'customer client subscriber member user account buyer kunde client cliente klient klant',
  passengers: 'passenger pax rider ridership boarding traveller traveler',
  trips: 'trip journey travel ride tour',
  guests: 'guest room_night bed_night arrival stay night overnight',
  payments: 'payment transaction transfer',
  output: 'output production generation yield throughput produktion produccion produkcja',
  feedIn: 'output generation produce power mw kw mwh feed_in einspeisung',
  waste: 'waste scrap reject defect',
  memory: 'memory ram',
  processor: 'cpu processor',
  requests: 'request hit rps qps traffic load',
  delay: 'latency delay lag',
  faults: 'error failure fault incident outage breakdown',
  disk: 'disk storage',
  vehicles: 'vehicle van truck lorry car',
  parcels: 'parcel package consignment delivery shipment',
  price: 'price preis prix tariff fare precio prezzo cena prijs',
  temperature: 'temperature temp temperatur',
  wind: 'wind windspeed',
  promotion: 'promotion promo promotional campaign discount aktion offer deal promocja',
  stock: 'stock inventory',
  staff: 'staff staffing head_count headcount employee agent fte workforce worker employ employed personnel manpower ' +
    'roster rota mitarbeiter personal belegschaft',
  doctors: 'doctor physician medic arzt lekarz lekarze medecin medico staff staffing',
  rain: 'rain rainfall precipitation',
  sun: 'solar sun sunshine irradiance irradiation radiation',
  advertising: 'ad advert advertising advertisement marketing',
  holiday: 'holiday vacation feiertag feiertage ferien urlaub hol swieto ferie festivo',
  place:
    'store shop branch filiale outlet location site standort geschaft geschaeft magasin tienda depot warehouse hub ' +
    'premise sklep negozio winkel',
  clinic: 'clinic ward poradnia practice surgery klinik',
  host: 'host server machine node instance',
  unit: 'unit segment division',
  line: 'queue line skill',
  product: 'product sku item article artikel',
  region: 'region area territory state country province district zone',
  signup: 'signup sign_up new_member registration registrant enrolment enrollment subscription registered',
  cash: 'cash liquidity',
  sensor: 'sensor device machine pump meter probe',
  weather: 'weather wetter'
}
/** Measures with a fixed definition. Another measure of the same concept does not stand for them. */
export const measures: ReadonlySet<string> = new Set(['ebitda', 'ebit', 'opex'])

const conceptsByWord = new Map<string, string[]>()
for (const [name, words] of Object.entries(concepts)) {
  for (const word of new Set(words.split(' '))) conceptsByWord.set(word, [...conceptsByWord.get(word) ?? [], name])
}

/**
 * The concepts that a word, or two words joined by `_`, may mean, the likeliest first. Words of one concept stand for
 * each other in names of columns.
 */
export function conceptsOf (word: string): readonly string[] {
  return conceptsByWord.get(word) ?? []
}
