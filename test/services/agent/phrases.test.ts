import t from 'tap'
import { inflections, Pattern, type PatternText } from '../../../src/services/agent/phrases/pattern.ts'

/* The language of the table of phrases, over plain words. */

const classes = new Map([['odd', 'spike+ | strange value'], ['stop', 'for|by']])

function textOf (words: string): PatternText {
  const keys = words.split(' ')
  return {
    size: keys.length,
    key: (at) => keys[at] ?? '',
    slot: (name, at) =>
      name === 'n' && /^\d+$/.test(keys[at] ?? '') ? { value: Number(keys[at]), to: at + 1 } : undefined
  }
}

t.test('a pattern has the words that it says, as far as they go', async (t) => {
  const cases: Array<[pattern: string, words: string, to: number | undefined, at?: number]> = [
    ['drop|remove spikes', 'remove spikes', 2],
    ['drop|remove spikes', 'ignore spikes', undefined],
    ['drop+ @odd', 'dropping strange value now', 3],
    ['drop+ @odd', 'dropped strange', undefined],
    ['the? a|b*2 c', 'the a b c', 4],
    ['the? a|b*2 c', 'a b a c', undefined],
    ['(a b | c) d', 'c d', 2],
    ['drop %stop*3 spikes', 'drop all the spikes', 4],
    ['drop %stop*3 spikes', 'drop for the spikes', undefined],
    ['drop %stop*1 spikes', 'drop all the spikes', undefined],
    ['next <n> weeks', 'next 6 weeks', 3],
    ['!<(not) drop', 'not drop', undefined, 1],
    ['=<(dont ever) drop', 'dont ever drop', 3, 2],
    ['drop !>(it)', 'drop it', undefined],
    ['drop =>(it)', 'drop it', 1],
    ['band \\: <n>', 'band : 80', 3],
    ['\\<\\=|\\| <n>', '<= 80', 2]
  ]
  for (const [pattern, words, to, at = 0] of cases) {
    t.equal(new Pattern(pattern, classes).matchAt(textOf(words), at)?.to, to, `${pattern} of ${words}`)
  }
})

t.test('slots are those of the way that was taken', async (t) => {
  t.strictSame(new Pattern('<n>? <n> weeks', classes).matchAt(textOf('6 weeks'), 0)?.slots, [6])
  t.strictSame(new Pattern('=<(<n>) weeks', classes).matchAt(textOf('6 weeks'), 1)?.slots, [])
})

t.test('what it may begin with', async (t) => {
  t.strictSame(new Pattern('!<(not) the? <n>', classes).first, new Set(['the', '<n>']))
  t.equal(new Pattern('%stop*3 spikes', classes).first, null)
})

t.test('a pattern that is none says why', async (t) => {
  t.throws(() => new Pattern('drop @even', classes), /no class "even"/)
  t.throws(() => new Pattern('drop (it', classes), /no "\)" for a "\("/)
  t.throws(() => new Pattern('drop it)', classes), /unexpected "\)"/)
})

t.test('a try ends, whatever the words', async (t) => {
  const pattern = new Pattern('a*9 a*9 a*9 a*9 a*9 a*9 b', classes)
  t.equal(pattern.matchAt(textOf('a '.repeat(200).trim()), 0), undefined)
})

t.test('forms of verbs and nouns', async (t) => {
  const forms = {
    drop: ['drops', 'dropped', 'dropping'],
    replace: ['replaces', 'replaced', 'replacing'],
    anomaly: ['anomalies'],
    clean: ['cleaned', 'cleaning'],
    publish: ['publishes'],
    deliver: ['delivered']
  }
  for (const [word, expected] of Object.entries(forms)) {
    for (const form of expected) t.ok(inflections(word).includes(form), form)
  }
})
