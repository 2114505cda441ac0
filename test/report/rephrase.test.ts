import t from 'tap'
import { rephrased, sentencesOf, type ExplanationWords } from '../../src/report/explanation/rephrase.ts'

const accuracy =
  'In the backtest the error was 30\u{A0}% smaller than that of repeating the last year, which is clearly better.'
const outlook =
  'Over 12 months “sales” of “A12” is forecast to average 1,050, with its highest value of 1,230 in December 2024.'
const lastStep = 'In December 2024 “sales” of “A12” is forecast to be 1,230, likely between 1,100 and 1,400.'
const words: ExplanationWords = {
  headline:
    '“sales” of “A12” is forecast to be 5\u{A0}% above its level a year earlier over 12 months, a likely outcome.',
  narrative: `${accuracy} ${lastStep}`,
  dataFindings: [],
  forecastSummary: [accuracy, outlook, lastStep],
  operationalImplications: [],
  caveats: []
}
const good = [
  'For the next 12 months “sales” of “A12” likely runs 5 % higher than a year earlier.',
  'The backtest error was 30 % smaller than when the last year is repeated: clearly better.',
  'We expect “sales” of “A12” to average 1,050 for 12 months and to be highest in December 2024, at 1,230.',
  'By December 2024 “sales” of “A12” is expected at 1,230, likely between 1,100 and 1,400.'
]

t.test('other words that say the same take the place of each sentence, in the narrative too', async (t) => {
  t.equal(sentencesOf(words).length, 4)
  t.strictSame(rephrased(words, good), {
    headline: good[0],
    narrative: `${good[1]} ${good[3]}`,
    dataFindings: [],
    forecastSummary: good.slice(1),
    operationalImplications: [],
    caveats: []
  })
})

t.test('what says something else is not let in', async (t) => {
  const wrong: Record<string, [number, unknown]> = {
    'another number': [0, 'For the next 12 months “sales” of “A12” likely runs 6 % higher than a year earlier.'],
    'a number more': [1,
      'The backtest error was 30 % smaller than when the last year is repeated in 3 windows: clearly better.'],
    'a number less': [3, 'By December 2024 “sales” of “A12” is expected at 1,230, likely up to 1,400.'],
    'a sign': [0, 'For the next 12 months “sales” of “A12” likely runs −5 % higher than a year earlier.'],
    'another month': [3, 'By November 2024 “sales” of “A12” is expected at 1,230, likely between 1,100 and 1,400.'],
    'the other direction': [0, 'For the next 12 months “sales” of “A12” likely runs 5 % lower than a year earlier.'],
    'a negation': [1, 'The backtest error was 30 % smaller than when the last year is repeated: not clearly better.'],
    'surer than it is': [0, 'For the next 12 months “sales” of “A12” runs 5 % higher than a year earlier.'],
    'less sure than it is': [1,
      'The backtest error may be 30 % smaller than when the last year is repeated: clearly better.'],
    'a cause': [0,
      'For the next 12 months “sales” of “A12” likely runs 5 % higher than a year earlier because of demand.'],
    'a promise': [0, 'For the next 12 months “sales” of “A12” will likely be 5 % higher than a year earlier.'],
    'another name': [0, 'For the next 12 months “sales” of “B7” likely runs 5 % higher than a year earlier.'],
    'a vendor': [1, 'The ARIMA backtest error was 30 % smaller than when the last year is repeated: clearly better.'],
    'a vendor, hidden': [1,
      'The P\u200Brophet backtest error was 30 % smaller than when the last year is repeated: clearly better.'],
    'a vendor in other letters': [1,
      'The ｘｇｂ backtest error was 30 % smaller than when the last year is repeated: clearly better.'],
    'a library by its parts': [1,
      'The LightGBMRegressor backtest error was 30 % smaller than when the last year is repeated: clearly better.'],
    'a vendor in quotes': [1,
      "The 'Amazon Forecast' backtest error was 30 % smaller than when the last year is repeated: clearly better."],
    markup: [1, 'The backtest error was <b>30 %</b> smaller than when the last year is repeated: clearly better.'],
    'an address': [1,
      'The backtest error was 30 % smaller than when the last year is repeated: clearly better, see www.example.com.'],
    'two lines': [1, 'The backtest error was 30 % smaller\nthan when the last year is repeated: clearly better.'],
    'marks that turn text': [1,
      'The backtest error was 30 % \u202Esmaller than when the last year is repeated: clearly better.'],
    'an essay': [1, `${good[1] ?? ''}${' It is a fine result for everybody.'.repeat(20)}`],
    nothing: [2, ' '],
    'no text': [2, { text: 'x' }]
  }
  for (const [name, [place, reply]] of Object.entries(wrong)) {
    t.equal(rephrased(words, good.map((one, index) => index === place ? reply : one)), undefined, name)
  }
  t.equal(rephrased(words, good.slice(1)), undefined, 'one too few')
  t.equal(rephrased(words, [...good, 'more']), undefined, 'one too many')
})
