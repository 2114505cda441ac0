import type { ProfiledColumn } from '../../../domain/data-profile.ts'
import { mayExplain } from '../columns/column-roles.ts'
import { meantTogether } from '../columns/families.ts'
import { phrase } from '../text/prompt-text.ts'
import { readColumns } from './lists.ts'
import type { Finding, Reading, Rule } from './rule.ts'

const behind = phrase(
  '(?:(?:columns?|data|values?|changes|also|both|all|really|clearly) ){0,3}(?:matters?|plays? a role|(?:has|have) ' +
    'an? (?:\\S+ )?(?:effect|impact|influence)|(?:is|are) ' +
    '(?:(?:a|an|the|our|one|of|also|both|main|key|important|relevant|major|big|strong) ' +
    '){0,3}(?:factors?|drivers?|influences?|important|relevant)|(?:is|are|will be|has been|have been|get|gets) ' +
    '(?:(?:already|also|all|always) )?(?:planned|scheduled|known|fixed|decided)(?: (?:in advance|ahead(?: of ' +
    'time)?|beforehand|up front|for the (?:future|horizon|whole horizon|forecast period|next \\S+ \\S+)))?)'
)
const before = phrase('incl|the (?:main |key )?(?:factors?|drivers?) (?:is|are)|(?:factor|driver|factors|drivers) :')
const settled = / (?:planned|scheduled|known|fixed|decided) /
const denied = / (?:not|dont|doesnt|never|no|neither|hardly|if|whether|isnt|how|does|do) (?:\S+ )?$/

/**
 * `temperature matters`, `promo is a factor`, `promotions are planned`, `incl. price`: what goes along with the target,
 * said in ordinary words.
 */
export const driverWordRule: Rule = (reading) => {
  const { text } = reading
  const findings: Finding[] = []
  for (const { from, to } of text.find(behind)) {
    if (denied.test(text.keys(from - 2, from)) || / (?:not|never) /.test(text.keys(from, to))) continue
    const named = namedBefore(reading, from)
    if (named !== undefined) {
      findings.push({
        field: 'covariates',
        value: {
          columns: named.columns,
          isUsed: true,
          ...settled.test(text.keys(from, to)) ? { isKnownAhead: true } : {}
        },
        from: named.from,
        to,
        weight: 0.9
      })
    }
  }
  for (const { from, to } of text.find(before)) {
    const list = readColumns(reading, to, (column) => fits(reading, column))
    if (list !== undefined) {
      findings.push({
        field: 'covariates',
        value: {
          columns: list.items.flatMap(({ columns }) => meantTogether(columns)).map(({ name }) => name),
          isUsed: true
        },
        from,
        to: list.to,
        weight: 0.9
      })
    }
  }
  return findings
}

/** The columns of a list that ends before a token. */
function namedBefore (reading: Reading, to: number): { columns: string[], from: number } | undefined {
  const { text, mentionBefore } = reading
  const columns: string[] = []
  let from = to
  let hasAnd = false
  for (let mention = mentionBefore.get(to); mention !== undefined && columns.length < 20;) {
    const fitting = mention.likeness === 'fuzzy' ? [] : mention.columns.filter((column) => fits(reading, column))
    if (fitting.length === 0) return undefined
    columns.unshift(...meantTogether(fitting).map(({ name }) => name))
    from = mention.from
    let at = mention.from
    while (at > mention.from - 3 && /^(?:and|,|the|our|both)$/.test(text.key(at - 1))) at--
    hasAnd ||= / and /.test(text.keys(at, mention.from))
    // Without an `and` behind it a comma ends what was said before.
    mention = hasAnd && at < mention.from ? mentionBefore.get(at) : undefined
    if (mention?.columns.some(({ name }) => name === reading.data.roles.target) === true) break
  }
  return columns.length === 0 ? undefined : { columns, from }
}

/** What is forecast is no driver of itself. */
function fits ({ data }: Reading, column: ProfiledColumn): boolean {
  return mayExplain(column, data) && column.name !== data.roles.target
}
