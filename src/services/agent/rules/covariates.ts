import type { ProfiledColumn } from '../../../domain/data-profile.ts'
import { mayExplain } from '../columns/column-roles.ts'
import { meantTogether } from '../columns/families.ts'
import type { Mention } from '../columns/mentions.ts'
import { phrase } from '../text/prompt-text.ts'
import { readColumns } from './lists.ts'
import type { Finding, Reading, Rule } from './rule.ts'

const use =
  'using|use|with|considering|consider|taking into account|take into account|taking|take|accounting for|account ' +
  'for|account of|based on|driven by|drivers are|drivers|depends? (?:\\S+ly |a lot |much |partly |also ' +
  ')?on|depending on|hinges? on|varies with|vary with|moves? with|goes with|sensitive to|correlate[sd]? ' +
  'with|linked to|tied to|influenced by|follows|follow|reacts? (?:\\S+ly )?to|responds? (?:\\S+ly )?to|affected ' +
  'by|impacted by|explained ' +
  'by|including|include|incorporating|incorporate|given|covariates|covariate|regressors|regressor|predictors|predictor|exogenous|features|factor ' +
  'in|factoring in|factors|leveraging|leverage|informed by|conditioned on|together ' +
  'with|add|adding|respecting|know|knowing|mind|such as|namely'
const avoid =
  'ignore|ignoring|without|dont use|dont consider|dont include|dont take|dont want|not use|not using|not include|not ' +
  'including|not consider|not considering|exclude|excluding|leave out|leaving ' +
  'out|leave|disregard|disregarding|skip|omit|omitting|no|drop|neglect|but not|not|shouldnt use|never use|nor|dont ' +
  'rely on'
const positive = phrase(
  `(?:${use})(?: (?:the|:|as|effect of|impact of|into account|consideration|that|are|influence of|in))?`
)
const negative = phrase(
  `(?:${avoid})(?: (?:using|considering|including|consider|use|include|the|any|effect of|impact of|account of|into ` +
    'account|taking into account|effects of|influence of))?'
)
const asDriver = phrase(
  '(?:(?:is|are|as|can|may|should|be|used|fine|ok|okay|good|available|to|use|a|an|useful|additional|our|my|known|planned|given|extra|external|exogenous) ' +
    '){0,6}(?:feature|features|driver|drivers|covariate|covariates|predictor|predictors|regressor|regressors|input|inputs|into ' +
    'account|explanatory|known in advance|known ahead|known(?= (?:\\.|,|\\)|;|and|for the) )|known(?= $)|known ' +
    'beforehand|known for the future|available in advance|planned ahead|planned in advance)'
)
const everything = phrase(
  '(?:use|using|with|include|including|considering|consider) (?:all|every|any)(?: ' +
    '(?:of|the|other|available|remaining|possible|my|our|useful|external)){0,4} ' +
    '(?:columns?|covariates?|features?|drivers?|variables?|regressors?|predictors?)'
)
const nothing = phrase(
  '(?:no|without|without any|ignore all|dont use any|exclude all) (?:(?:other|external|additional|extra) ' +
    ')?(?:covariates?|features?|drivers?|regressors?|predictors?|columns?)|univariate'
)
const topics = phrase(
  `(?:(?<no>${avoid})|(?<yes>${use}|public|school|bank|national))(?: ` +
    '(?:any|the|local|public|school|national|bank|effect of|impact of|for|external)){0,3} ' +
    '(?<topic>weather|holidays?|inflation|interest rates?|air quality|electricity prices?|train delays?)(?: ' +
    '(?:in|for|of) (?<place>[a-z][^ ]*))?'
)

/** `using price and promo`, `driven by temperature`, and the opposite: `ignore promotions`, `without weather`. */
export const covariateRule: Rule = (reading) => {
  const { text } = reading
  const findings: Finding[] = []
  const add = (list: ReturnType<typeof readColumns>, from: number, isUsed: boolean, weight: number) => {
    if (list === undefined) return
    const columns = list.items.flatMap(({ columns }) => meantTogether(columns)).map(({ name }) => name)
    findings.push({ field: 'covariates', value: { columns, isUsed }, from, to: list.to, weight })
  }
  for (const { from, to } of text.find(positive)) {
    // `I want to know the units` asks for them; `we know the price` has it.
    if (/^know(?:ing)?$/.test(text.key(from)) &&
      !/ (?:i|we|you|already|do|also|and) $/.test(text.keys(from - 1, from))) continue
    if (text.key(from) === 'with' && / (?:happen|happens|happening|on|up|wrong) $/.test(text.keys(from - 1, from))) {
      continue
    }
    if (/ (?:dont|not|never|without|no|cant|shouldnt|or|nor|ignore) (?:\S+ )?$/.test(text.keys(from - 2, from)) &&
      !/ or $/.test(text.keys(from - 1, from))) continue
    const list = readColumns(reading, to, fits(reading))
    // `add the visits up by week`.
    if (list !== undefined && /^(?:up|together)$/.test(text.key(list.to))) continue
    add(list, from, true, 0.9)
  }
  for (const { from, to } of text.find(negative)) add(readColumns(reading, to, fits(reading)), from, false, 1)
  for (const { from, to } of text.find(asDriver)) {
    // `the holiday flag may be an input`.
    const mention = reading.mentionBefore.get(from) ??
      (/^(?:flag|column|indicator|dummy|variable|series|data|values?|figures|numbers|calendar)$/.test(
          text.key(from - 1)
        )
        ? reading.mentionBefore.get(from - 1)
        : undefined)
    const isUsed = !/ (?:not|no|isnt|dont|never|nor|shouldnt|cant) /.test(text.keys(from - 1, to))
    const mentions = mention === undefined ? [] : withEarlier(reading, mention)
    const named = mentions.map((one) => meantTogether(one.columns.filter(fits(reading))))
    const columns = named.flat().map(({ name }) => name)
    if (mention !== undefined && named.every(({ length }) => length > 0)) {
      findings.push({
        field: 'covariates',
        value: {
          columns,
          isUsed,
          ...isUsed && / (?:known|planned|advance) /.test(text.keys(from, to)) ? { isKnownAhead: true } : {}
        },
        from: (mentions[0] as Mention).from,
        to,
        weight: 1
      })
    }
  }
  for (const { from, to } of text.find(everything)) {
    findings.push({ field: 'covariates', value: { columns: allDrivers(reading), isUsed: true }, from, to, weight: 0.9 })
  }
  for (const { from, to } of text.find(nothing)) {
    findings.push({
      field: 'covariates',
      value: { columns: allDrivers(reading), isUsed: false },
      from,
      to,
      weight: 0.9
    })
  }
  for (const { from, to, groups } of text.find(topics)) {
    const place = groups['place'] === undefined ? '' : ` ${text.source(to - 1, to)}`
    findings.push({
      field: 'user_constraints',
      value: `${groups['no'] === undefined ? 'use' : 'without'} ${groups['topic']}${place}`,
      from,
      to,
      weight: 0.7
    })
  }
  return findings
}

/** Of `price and promo are drivers` both. */
function withEarlier ({ text, mentionBefore }: Reading, mention: Mention): Mention[] {
  const mentions = [mention]
  for (let first = mention; mentions.length < 10;) {
    let at = first.from
    while (/^(?:and|,|the|or|both)$/.test(text.key(at - 1)) && at > first.from - 3) at--
    const before = at < first.from ? mentionBefore.get(at) : undefined
    if (before === undefined) break
    mentions.unshift(before)
    first = before
  }
  return mentions
}

function fits ({ data }: Reading): (column: ProfiledColumn) => boolean {
  return (column) => mayExplain(column, data)
}

function allDrivers (reading: Reading): string[] {
  const { target } = reading.data.roles
  return reading.data.columns.filter((column) => fits(reading)(column) && column.name !== target && !column.isStatic)
    .map(({ name }) => name)
}
