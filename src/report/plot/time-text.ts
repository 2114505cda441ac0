const day = 86_400_000

/** Milliseconds since 1970 of an ISO 8601 local time; a zone at its end is ignored. NaN for other texts. */
export function timeOf (text: string): number {
  const wall = (text.includes('T') ? text.replace(/(?:[zZ]|[+-]\d\d:?\d\d)$/, '') : text).replace(' ', 'T')
  return Date.parse(wall.includes('T') ? `${wall}Z` : wall)
}

/** `2024-03-01` if all times are days, else `2024-03-01 14:00`, with seconds if any time has them. */
export function timeTexts (times: readonly number[]): (index: number) => string {
  const length = times.every((time) => time % day === 0)
    ? 10
    : times.every((time) => time % 60_000 === 0)
    ? 16
    : times.every((time) => time % 1000 === 0)
    ? 19
    : 23
  return (index) => {
    const time = times[index]
    if (time === undefined) return ''
    const iso = new Date(time).toISOString()
    // Years of more than four digits are longer.
    return iso.slice(0, iso.indexOf('T') - 10 + length).replace('T', ' ')
  }
}
