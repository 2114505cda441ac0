import t from 'tap'
import { expectError, readAnswer } from '../support/expect-error.ts'
import { expectHealthy } from '../support/leftovers.ts'
import { Client, startService } from '../support/service.ts'

/*
 * Prompts that are long, over tables with hundreds of columns: the same file and prompt have the same answer, and a
 * 503 is none.
 */
const service = await startService({ TABCAST_RATE_LIMITS: 'false' })
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('acme'))

const words =
  ('quarterly adjusted revenue margin weather temperature station market consumer inventory delivery supplier ' +
    'discount campaign promotion ' +
    'warehouse regional seasonal projected baseline normalised weighted external internal customer segment pricing')
    .split(' ')

/** A table of `columns` columns whose names have `length` words each, all of them with the word sales. */
function wideTable (columns: number, length: number): { names: string[], csv: string } {
  const names = Array.from({ length: columns - 3 },
    (_, at) =>
      ['sales', ...Array.from({ length }, (_, part) => words[(at * 7 + part * 11) % words.length]), at].join('_'))
  const rows = Array.from({ length: 40 },
    (_, row) =>
      ['north', new Date(Date.UTC(2024, 0, 1 + row)).toISOString().slice(0, 10), 100 + row % 7, ...names.map((_, at) =>
        row * at % 97
      )].join(','))
  return { names, csv: [['store', 'date', 'target', ...names].join(','), ...rows].join('\n') + '\n' }
}

async function extract (csv: string, prompt: string) {
  const form = new FormData()
  form.append('prompt', prompt)
  form.append('file', new Blob([csv]), 'wide.csv')
  return await readAnswer(await client.request('POST', '/agent/extract', { body: form }))
}

const { names, csv } = wideTable(490, 18)
const longest = 26_000
const prompts = {
  'names of columns': `forecast target for 6 weeks using ${names.map((name) => name.replaceAll('_', ' ')).join(', ')}`,
  'a word that every column has': 'sales '.repeat(longest),
  'words that a hundred columns have': `forecast target ${
    Array.from({ length: longest }, (_, at) => words[at % words.length]).join(' and ')
  }`
}
for (const [what, prompt] of Object.entries(prompts)) {
  t.test(`a prompt of ${longest} characters over 490 long names is read: ${what}`, async (t) => {
    const answer = await extract(csv, prompt.slice(0, longest))
    t.equal(answer.status, 200, answer.text.slice(0, 300))
    t.equal((JSON.parse(answer.text) as { columns: string[] }).columns.length, 490)
  })
}

t.test('a file whose names are too long to be told is a 413 that says so, not a 503 after the time of an answer', async (t) => {
  const names = Array.from({ length: 490 }, (_, at) => `${at}`.padEnd(1000, '\u00e4'))
  const table = [['date', ...names].join(','),
    ...Array.from({ length: 10 }, (_, row) => [`2024-01-${row + 10}`, ...names.map(() => row)].join(','))].join('\n')
  const envelope = await expectError(t, await extract(table, 'forecast target'), 413, 'dataset_too_large')
  t.equal(envelope.retryable, false)
  t.match(JSON.stringify(envelope.detail), /takes \d{6,} bytes to tell/)
})

t.test('a prompt that takes longer than its time is a 413 that is not retryable, though its slot says nothing while ' +
  'it reads', async (t) => {
  await service.restart({ TABCAST_QUICK_TIMEOUT_MS: '300' })
  const asked = async () => await extract(csv, 'by sales and sales or '.repeat(10_000).slice(0, 65_000))
  let answer = await asked()
  // On a busy machine its slot may have had no core for a while: then it was held up, and the prompt is not to blame.
  for (let again = 0; again < 5 && answer.status === 503; again++) answer = await asked()
  const envelope = await expectError(t, answer, 413, 'dataset_too_large')
  t.equal(envelope.retryable, false)
  t.match(JSON.stringify(envelope.detail), /this file and its prompt takes longer than 0\.3 s/)
  await expectHealthy(t, service)
})
