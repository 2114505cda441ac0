import { phrase } from '../text/prompt-text.ts'
import type { Finding, Rule } from './rule.ts'

const percent = '\\d+(?:\\.\\d+)?(?: %)?'
const list = `${percent}(?: (?:,|and|or|/|, and) ${percent}){0,4}`
const noun =
  'intervals?|confidence|coverage|bands?|certainty|certain|sure|bounds?|uncertainty|ci|cis|pi|pis|prediction ' +
  'intervals?|probability|range|corridor|error bars?|whiskers|fan chart'
const numberFirst = phrase(
  `(?<list>${list}) (?:(?:prediction|confidence|forecast|uncertainty|credible|level|central|predictive|error) ` +
    `){0,2}(?:${noun})(?: (?:intervals?|bands?|level|bounds))?`
)
const nounFirst = phrase(
  `(?:prediction |confidence |uncertainty )?(?:${noun})(?: ` +
    `(?:intervals?|bands?|levels?|bounds|of|at|:|=|with|around|to|for|is|are|the|be|should)){0,4} (?<list>${list})`
)
const quantiles = phrase(
  '(?<list>(?:p\\d{1,2}|median)(?: (?:,|and|or|/|, and|to|-|as well as) (?:the )?(?:p\\d{1,2}|median)){0,8})'
)
const percentiles = phrase(
  '(?:(?<list>\\d{1,2}(?:\\.\\d)?(?: (?:,|and|or|to|/|, and) (?:the )?\\d{1,2}(?:\\.\\d)?){0,5}) ' +
    '(?:percentiles?|quantiles?)|(?:percentiles?|quantiles?)(?: (?:of|at|:|=|levels?|for)){0,2} ' +
    '(?<other>\\d+(?:\\.\\d+)?(?: (?:,|and|or|, and) \\d+(?:\\.\\d+)?){0,8}))'
)

/** `80% interval`, `90 and 95 percent confidence`, `p10 and p90`: shares of the outcomes that intervals shall hold. */
export const intervalRule: Rule = ({ text }) => {
  const findings: Finding[] = []
  const add = (value: number[], from: number, to: number, weight: number) => {
    if (value.length > 0) {
      findings.push({
        field: 'confidence_intervals',
        value: [...new Set(value)].sort((left, right) => left - right),
        from,
        to,
        weight
      })
    }
  }
  for (const pattern of [numberFirst, nounFirst]) {
    for (const { from, to, groups } of text.find(pattern)) {
      const shares = numbers(groups['list'] as string).map((value) => tidy(value > 1 ? value / 100 : value))
      // `7 day interval` has no percent sign and is none; 0.9 needs none.
      const isShare = (groups['list'] as string).includes('%') || shares.every((share) => share >= 0.5)
      if (isShare && shares.every((share) => share > 0 && share < 1)) add(shares, from, to, 1)
    }
  }
  for (const { from, to, groups } of text.find(quantiles)) {
    add(
      centralIntervals([...(groups['list'] as string).matchAll(/p(\d{1,2})/g)].map((match) => Number(match[1]) / 100)),
      from,
      to,
      1
    )
  }
  for (const { from, to, groups } of text.find(percentiles)) {
    add(
      centralIntervals(
        numbers(groups['list'] ?? groups['other'] as string).map((value) => value >= 1 ? value / 100 : value)
      ),
      from,
      to,
      1
    )
  }
  return findings
}

/** The intervals between pairs of quantiles; of one alone that on the other side of the median belongs to it. */
function centralIntervals (levels: number[]): number[] {
  return levels.map((level) => tidy(Math.abs(1 - 2 * level))).filter((share) => share > 0 && share < 1)
}

function numbers (text: string): number[] {
  return [...text.matchAll(/\d+(?:\.\d+)?/g)].map(([number]) => Number(number))
}

function tidy (share: number): number {
  return Math.round(share * 1e4) / 1e4
}
