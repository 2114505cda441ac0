import type { ProfiledColumn } from '../../../domain/data-profile.ts'
import { mayExplain } from '../columns/column-roles.ts'
import type { Mention } from '../columns/mentions.ts'
import { phrase } from '../text/prompt-text.ts'
import type { Finding, Reading, Rule } from './rule.ts'
import { defined } from '../../../domain/defined.ts'

const adverbs =
  '(?:also|really|clearly|strongly|heavily|often|usually|typically|always|already|both|all|each|probably|certainly|obviously|surely|definitely|largely|mostly|partly|directly|still|do|does|did|can|could|will|would|may|might|should|must|we|i|think|believe|to|all|only|well|fully|the|of|them) '
const ahead =
  '(?:in advance|ahead(?: of time)?|beforehand|up front|upfront|already|well before|for the (?:future|whole ' +
  'horizon|forecast horizon|horizon|forecast period|coming \\S+|next \\S+(?: \\S+)?)|(?:\\S+ ' +
  ')?(?:day|week|month|quarter|year)s? (?:ahead|in advance|before|out)|going forward|too|as well)'
const settled = 'planned|rostered|scheduled|fixed|decided|agreed|booked|contracted|published|budgeted|preset|pre ' +
  'set|predetermined|determined|laid down|locked in|signed off|in the calendar|on the calendar|on file'
/** What moves the target. */
const moves = phrase(
  `(?:${adverbs}){0,4}(?:drives?|drove|affects?|influences?|impacts?|explains?|determines?|shapes?|steers?|matters?|correlates?|moves? ` +
    '(?:it|them|our|the|with)|helps?(?: (?:a lot|too|here|as well)| (?:to )?(?:us ' +
    ')?(?:explain|predict|forecast))?|(?:plays?|have|has|had) (?:an?|some|a big|a large|a strong|much|a clear|a ' +
    'huge|a role|big|strong) ?(?:effect|influence|impact|bearing|role|say|part)?|(?:is|are) (?:a |an ' +
    ')?(?:important|relevant|useful|helpful|main|key|big|major|strong|good) ' +
    '?(?:drivers?|factors?|influences?|predictors?)?|(?:is|are) (?:a |an )?(?:factors?|influences?|reasons?|causes?))'
)
/** Known for the steps to come. */
const known = phrase(
  `(?:is|are|were|gets?|being|be|as) (?:${adverbs}){0,3}(?:(?:${settled})(?: ` +
    `${ahead}){0,2}|(?:known|available|set|given|there|forecast|clear|certain)(?: ${ahead}){1,2})`
)
/** Known for the past only. */
const past = phrase(
  '(?:exists?|is|are|ends?) (?:(?:known|available|there|recorded|given|measured|observed) )?(?:for|in|with) (?:the ' +
    ')?(?:past|history)(?: data| alone)? only|(?:only|just|merely) (?:historically|in hindsight|afterwards|after the ' +
    'fact|(?:for|in) the past)|(?:is|are|were|can|will|comes?|arrives?|get|gets)? ?(?:be )?(?:only|solely|just) ' +
    '(?:ever )?(?:be ' +
    ')?(?:known|available|recorded|measured|observed|reported|there|given|for|in|historical|history)(?: ' +
    '(?:for|of|in|from|up ' +
    'to|after|until|till|to|afterwards|historically|later|once|when|the|its|past|data|fact|event|now|today|hindsight|history)){0,4}|(?:is|are) ' +
    '(?:known|available|recorded|measured|observed|reported) (?:only (?:for|in|after|up ' +
    'to|until|afterwards|historically|later)|afterwards|after the fact|in hindsight|historically)(?: ' +
    "(?:the|past|fact|event|data|now|history|today|its)){0,3}|(?:is|are|will be|can|wont be|isnt|arent|aren't|will) " +
    '?(?:not|never|unknown|cannot)? ?(?:be )?(?:known|unknown|available|planned) (?:in advance|ahead(?: of ' +
    'time)?|beforehand|for the future|going forward|up front|upfront)'
)
/** `Known in advance: price, promo`, and the same as a list of lines. */
const headed = phrase(
  '(?:(?<ahead>known (?:in advance|ahead(?: of time)?|beforehand|future)|known future(?: ' +
    '(?:features?|covariates?|inputs?|variables?))?|future known|planned(?: ahead| in advance)?|available in ' +
    'advance)|(?:known for the )?(?:past|history)(?: only)?|historical(?: ' +
    '(?:features?|covariates?|inputs?|variables?|only))?|only (?:in|for) the past) :'
)
/** `marketing has already planned the newsletters`. */
const planned = phrase(
  '(?:has|have|had) (?:(?:already|now|also|just|all) ' +
    '){0,2}(?:planned|scheduled|fixed|decided|agreed|booked|set|signed off|published)(?: ' +
    '(?:the|our|all|on|when|its|their)){0,2}'
)
const denies = / (?:not|isnt|aren't|arent|wont|unknown|never|cannot|cant) /
/** Of something that was named before. */
const itsPast = phrase(
  '(?:we|i) (?:only|just) (?:ever )?(?:have|know|get|see|hold|record|measure) ' +
    '(?:(?:its|their|the|for|it|them|of|in|up|to) ){0,3}(?:past|historical|history|historic|actuals|afterwards|after ' +
    'the fact|in hindsight)(?: (?:values?|data|numbers|figures|readings?|ones))?|(?:its|their|the) future (?:value ' +
    '|values )?(?:is|are) (?:not|un)(?: )?(?:known|available)|no future values?|(?:its|their) past (?:values? ' +
    ')?only|(?:treat|take|use|count|mark|consider|regard|handle|keep) (?:it|them|both|these|those|all) as (?:an? ' +
    ')?(?:historical|historic|history|past)(?: only)?(?: features?| covariates?| inputs?| data| columns?)?'
)
const itsFuture = phrase(
  '(?:its|their|the|whose) (?:future|coming|upcoming|next) (?:values? |numbers |figures |levels? ' +
    ')?(?:is|are|get|will be) (?:all |both |already |always ' +
    ')?(?:known|planned|available|set|given|fixed|published|there)|(?:we|i) (?:already |also |do |always ' +
    ')?(?:know|have|hold|get) (?:(?:its|their|it|them|both|the|these|those|all) ){0,3}(?:future(?: values?| ' +
    `plans?)?|plans?|schedule|roster|${ahead})|(?:it|they|both|these|those|which|that) (?:is|are) ` +
    `(?:${adverbs}){0,2}(?:(?:${settled})(?: ${ahead})?|known ` +
    `${ahead})|(?:treat|take|use|count|mark|consider|regard|handle|keep) (?:it|them|both|these|those|all) as ` +
    `(?:known|planned|future known|a known)(?: ${ahead})?(?: features?| covariates?| inputs?)?`
)
const itsUse = phrase(
  '(?:so |please |do )?(?:use|include|consider|add|take|factor in|account for|feed in|respect) ' +
    '(?:it|them|both|these|those|all of them|both of them|the two)(?: (?:too|as well|both|in|into account|please|as ' +
    'drivers?|as covariates?|as features?|as inputs?|as regressors?|as ' +
    'predictors?))?|(?:it|they|both|these|those|which|that|this) (?:(?:both|also|clearly|really|all) )?(?:helps?(?: ' +
    'to)? (?:explain|predict|forecast)|drives?|affects?|influences?|matters?)(?: (?:it|them|the target|our|the))?'
)
const negation =
  / (?:not|dont|doesnt|never|no longer|hardly|barely|cant|cannot|neither|without|isnt|didn't|didnt|won't|wont|arent|aren't|if|whether|how|what|does|do|did) (?:\S+ )?$/
const maxColumns = 10
const maxWordsBack = 30

/**
 * What is said of columns rather than asked for: `price drives sales`, `the roster is planned ahead`, `stock is only
 * known for the past`, `use both`.
 */
export const statementRule: Rule = (reading) => {
  const { text } = reading
  const findings: Finding[] = []
  const add = (columns: ProfiledColumn[], from: number, to: number, isKnownAhead: boolean | undefined,
    weight: number) => {
    if (columns.length === 0 || columns.length > maxColumns) return
    findings.push({
      field: 'covariates',
      value: { columns: columns.map(({ name }) => name), isUsed: true, ...defined({ isKnownAhead }) },
      from,
      to,
      weight
    })
  }
  for (const [pattern, isKnownAhead] of [[moves, undefined], [known, true], [past, false]] as const) {
    for (const { from, to } of text.find(pattern)) {
      const words = text.keys(from, to)
      if (negation.test(text.keys(from - 2, from)) || (isKnownAhead !== false && denies.test(words))) continue
      if (isKnownAhead === false && !/ (?:only|solely|just|afterwards|hindsight|historically|fact) /.test(words) &&
        !denies.test(words)) continue
      const list = namedBefore(reading, from) ?? (isKnownAhead === undefined ? undefined : subjectBefore(reading, from))
      // What is to be forecast is no driver of itself: `calls matter`, `the target is planned ahead`.
      if (list === undefined || list.columns.some(({ name }) => name === reading.data.roles.target)) continue
      add(list.columns, list.from, to, isKnownAhead, isKnownAhead === undefined ? 0.85 : 1)
    }
  }
  for (const { from, to } of text.find(planned)) {
    const mention = reading.mentionAt.get(to)
    const column = mention === undefined ? undefined : fitting(reading, mention)
    if (mention === undefined || column === undefined || column.name === reading.data.roles.target ||
      negation.test(text.keys(from - 2, from))) continue
    add([column], from, mention.to, true, 0.9)
  }
  for (const { from, to, groups } of text.find(headed)) {
    const listed = listedBehind(reading, to)
    if (listed !== undefined) add(listed.columns, from, listed.to, groups['ahead'] !== undefined, 1)
  }
  for (const [pattern, isKnownAhead] of [[itsPast, false], [itsFuture, true], [itsUse, undefined]] as const) {
    for (const { from, to } of text.find(pattern)) {
      if (negation.test(text.keys(from - 2, from))) continue
      add(meantBefore(reading, from), from, to, isKnownAhead, 0.9)
    }
  }
  return findings
}

/** The columns that end right before a token: of `price and promo drive` both. */
function namedBefore (reading: Reading, at: number): { columns: ProfiledColumn[], from: number } | undefined {
  const { text, mentionBefore } = reading
  let last = mentionBefore.get(at) ??
    mentionBefore.get(
      /^(?:column|columns|values?|data|levels?|numbers|figures|calendar|plan)$/.test(text.key(at - 1)) ? at - 1 : -1
    )
  const columns: ProfiledColumn[] = []
  let from = at
  let hasAnd = false
  while (last !== undefined && columns.length < maxColumns) {
    const column = fitting(reading, last)
    if (column === undefined) break
    columns.unshift(column)
    from = last.from
    let before = last.from
    while (/^(?:and|,|the|our|or|both|also|then)$/.test(text.key(before - 1)) && before > last.from - 3) before--
    hasAnd ||= / (?:and|or) /.test(text.keys(before, last.from))
    // Without an `and` behind it a comma ends what was said before.
    last = before < last.from && (hasAnd || text.key(last.from - 1) !== ',') ? mentionBefore.get(before) : undefined
  }
  return columns.length === 0 ? undefined : { columns, from }
}

/**
 * The only column that a sentence names: `the flu index, on the other hand, comes late and is only available for the
 * past`.
 */
function subjectBefore (reading: Reading, at: number): { columns: ProfiledColumn[], from: number } | undefined {
  let first = at
  while (first > 0 && first > at - maxWordsBack && reading.text.key(first - 1) !== '.') first--
  const named = reading.mentions.filter(({ from, to }) => from >= first && to <= at)
  const column = named.length === 1 ? fitting(reading, named[0] as Mention) : undefined
  return column === undefined ? undefined : { columns: [column], from: at }
}

/** The columns of a list, of one line or a line each. */
function listedBehind (reading: Reading, from: number): { columns: ProfiledColumn[], to: number } | undefined {
  const columns: ProfiledColumn[] = []
  let to = from
  for (let at = from; columns.length < maxColumns;) {
    while (/^(?:\.|,|and|-|the)$/.test(reading.text.key(at)) && at < to + 4) at++
    const mention = reading.mentionAt.get(at)
    const column = mention === undefined ? undefined : fitting(reading, mention)
    if (mention === undefined || column === undefined) break
    columns.push(column)
    at = to = mention.to
  }
  return columns.length === 0 ? undefined : { columns, to }
}

/** The columns that `it` or `both` mean: those that were named last, and are not what is forecast. */
function meantBefore (reading: Reading, before: number): ProfiledColumn[] {
  const { target } = reading.data.roles
  const earlier = reading.mentions.filter((mention) =>
    mention.to <= before && mention.to > before - maxWordsBack && mention.columns.every(({ name }) =>
      name !== target
    ) && fitting(reading, mention) !== undefined
  )
  const last = earlier.at(-1)
  return last === undefined ? [] : namedBefore(reading, last.to)?.columns.filter(({ name }) => name !== target) ?? []
}

function fitting ({ data }: Reading, { columns, likeness }: Mention): ProfiledColumn | undefined {
  // Another word for a column is too little to rest on where nothing was asked for.
  return likeness === 'fuzzy' ? undefined : columns.find((column) => mayExplain(column, data) && !column.isStatic)
}
