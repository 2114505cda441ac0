const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const weekdays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']

interface Unit {
  name: string
  anchors?: readonly string[]
  /** The anchor that pandas assumes when none is given. Units with `shown` write it out. */
  anchor?: string
  shown?: boolean
}

const week: Unit = { name: 'W', anchors: weekdays, anchor: 'SUN', shown: true }
const quarterEnd: Unit = { name: 'QE', anchors: months, anchor: 'DEC' }
const yearEnd: Unit = { name: 'YE', anchors: months, anchor: 'DEC' }
const yearStart: Unit = { name: 'YS', anchors: months, anchor: 'JAN' }

/** Old and new pandas aliases, in the cases that `crates/calendar` accepts. */
const units = new Map<string, Unit>([
  ['h', { name: 'h' }],
  ['H', { name: 'h' }],
  ['min', { name: 'min' }],
  ['T', { name: 'min' }],
  ['t', { name: 'min' }],
  ['s', { name: 's' }],
  ['S', { name: 's' }],
  ['D', { name: 'D' }],
  ['d', { name: 'D' }],
  ['B', { name: 'B' }],
  ['b', { name: 'B' }],
  ['W', week],
  ['w', week],
  ['M', { name: 'ME' }],
  ['ME', { name: 'ME' }],
  ['MS', { name: 'MS' }],
  ['Q', quarterEnd],
  ['QE', quarterEnd],
  ['QS', { name: 'QS', anchors: months, anchor: 'JAN' }],
  ['A', yearEnd],
  ['Y', yearEnd],
  ['YE', yearEnd],
  ['AS', yearStart],
  ['YS', yearStart]
])

/**
 * The canonical form of a frequency, so that equal requests have equal hashes: `H` -> `h`, `2T` -> `2min`, `W` ->
 * `W-SUN`, `A-JUN` -> `YE-JUN`, `QS-JAN` -> `QS`. undefined for an alias that the engine does not accept.
 */
export function canonicalFrequency (alias: string): string | undefined {
  const match = /^([1-9][0-9]{0,4})?([A-Za-z]{1,3})(?:-([A-Za-z]{3}))?$/.exec(alias)
  const unit = units.get(match?.[2] ?? '')
  if (match === null || unit === undefined) return undefined
  const multiple = match[1] === undefined || match[1] === '1' ? '' : match[1]
  const anchor = match[3]?.toUpperCase() ?? unit.anchor
  if (anchor !== undefined && unit.anchors?.includes(anchor) !== true) return undefined
  const suffix = anchor !== undefined && (unit.shown === true || anchor !== unit.anchor) ? `-${anchor}` : ''
  return `${multiple}${unit.name}${suffix}`
}
