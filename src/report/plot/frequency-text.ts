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

/** `daily` for `D`; an alias that is not among the usual ones as it is. */
export function frequencyText (freq: string): string {
  return aliases.find(([, names]) => names.includes(freq))?.[0] ?? `frequency ${freq}`
}
