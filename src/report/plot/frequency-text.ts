const aliases: Array<[string, string[]]> = [
  ['on business days', ['B']],
  ['daily', ['D']],
  ['weekly', ['W']],
  ['monthly', ['M', 'MS', 'ME']],
  ['quarterly', ['Q', 'QS', 'QE']],
  ['yearly', ['Y', 'YS', 'YE', 'A']],
  ['hourly', ['h', 'H']],
  ['every minute', ['min', 'T']],
  ['every second', ['s', 'S']]
]

const days: Record<string, string> = {
  MON: 'Mondays',
  TUE: 'Tuesdays',
  WED: 'Wednesdays',
  THU: 'Thursdays',
  FRI: 'Fridays',
  SAT: 'Saturdays',
  SUN: 'Sundays'
}

/** `daily` for `D`, `weekly (Mondays)` for `W-MON`; an unusual alias is shown as it is. */
export function frequencyText (freq: string): string {
  const day = /^W-([A-Z]{3})$/.exec(freq)?.[1] ?? ''
  if (Object.hasOwn(days, day)) return `weekly (${days[day]})`
  return aliases.find(([, names]) => names.includes(freq))?.[0] ?? `frequency ${freq}`
}
