import { InvalidAnswer } from './http/invalid-answer.ts'
import { childOf, childrenOf, readXml, type XmlElement } from './http/read-xml.ts'
import type { Frequency } from './observations.ts'
import { ProviderError } from './provider-error.ts'

/** `frequency` is the coarsest in the document; if it has finer steps, such a value ends where the next begins. */
export interface EntsoeSeries {
  frequency: Frequency
  validTimeMs: number[]
  values: number[]
}

const resolutions: Readonly<Record<string, { frequency: Frequency, ms: number }>> = {
  PT15M: { frequency: 'PT15M', ms: 15 * 60_000 },
  PT30M: { frequency: 'PT30M', ms: 30 * 60_000 },
  PT60M: { frequency: 'PT1H', ms: 60 * 60_000 }
}
/** From fine to coarse. */
const order: readonly Frequency[] = ['PT15M', 'PT30M', 'PT1H']
/** A year of quarters of an hour, which is the most that one request may ask for. */
const maxPositions = 4 * 24 * 367

/**
 * Reads a document of prices (A44) or loads (A65): TimeSeries > Period > Point. In curve type A03, a missing position
 * repeats the previous one. If there are no data, the platform sends an acknowledgement, which gives no rows. Throws
 * InvalidAnswer, or a ProviderError for an acknowledgement that refuses.
 */
export function readEntsoe (id: string, body: Buffer, root: string, value: string): EntsoeSeries {
  const document = readXml(body)
  if (document.name === 'Acknowledgement_MarketDocument') {
    const reason = childrenOf(childOf(document, 'Reason'), 'text')[0]?.text ?? ''
    if (/no matching data/i.test(reason)) return { frequency: 'PT1H', validTimeMs: [], values: [] }
    throw new ProviderError(id, /token/i.test(reason) ? 'AUTHENTICATION_FAILED' : 'REQUEST_REFUSED', { cause: reason })
  }
  if (document.name !== root) throw new InvalidAnswer(`the document is not a ${root}`)
  const rows = new Map<number, number>()
  let coarsest: Frequency = 'PT15M'
  for (const series of childrenOf(document, 'TimeSeries')) {
    if (!isFirstAuction(series)) continue
    const repeats = childrenOf(series, 'curveType')[0]?.text === 'A03'
    for (const period of childrenOf(series, 'Period')) {
      const frequency = addPeriod(rows, period, value, repeats)
      if (order.indexOf(frequency) > order.indexOf(coarsest)) coarsest = frequency
    }
  }
  const validTimeMs = [...rows.keys()].sort((one, other) => one - other)
  return { frequency: coarsest, validTimeMs, values: validTimeMs.map((time) => rows.get(time) as number) }
}

/** Zones with several auctions number them; the first is the usual one. */
function isFirstAuction (series: XmlElement): boolean {
  const position = childrenOf(series, 'classificationSequence_AttributeInstanceComponent.position')[0]
  return position === undefined || position.text === '1'
}

function addPeriod (rows: Map<number, number>, period: XmlElement, value: string, repeats: boolean): Frequency {
  const interval = childOf(period, 'timeInterval')
  const [startMs, endMs] = [timeOf(childOf(interval, 'start')), timeOf(childOf(interval, 'end'))]
  const resolution = resolutions[childOf(period, 'resolution').text]
  if (resolution === undefined) throw new InvalidAnswer('the resolution is not a known one')
  const positions = (endMs - startMs) / resolution.ms
  if (!Number.isInteger(positions) || positions < 1 || positions > maxPositions) {
    throw new InvalidAnswer('a period has an odd length')
  }
  const values = new Array<number | undefined>(positions)
  for (const point of childrenOf(period, 'Point')) {
    const position = numberOf(childOf(point, 'position'))
    if (!Number.isInteger(position) || position < 1 || position > positions) {
      throw new InvalidAnswer('a position lies outside of its period')
    }
    values[position - 1] = numberOf(childOf(point, value))
  }
  for (let index = 0; index < positions; index++) {
    if (repeats && values[index] === undefined) values[index] = values[index - 1]
    const one = values[index]
    const time = startMs + index * resolution.ms
    // A document may have a day both in hours and in quarters; the first value for a time stays.
    if (one !== undefined && !rows.has(time)) rows.set(time, one)
  }
  return resolution.frequency
}

function timeOf ({ text }: XmlElement): number {
  const ms = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?Z$/.test(text) ? Date.parse(text) : NaN
  if (Number.isNaN(ms)) throw new InvalidAnswer('a time is not in the documented form')
  return ms
}

function numberOf ({ text, name }: XmlElement): number {
  if (!/^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) throw new InvalidAnswer(`${name} is not a number`)
  return Number(text)
}
