import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import type { JobExplanation } from '../../src/domain/explainability-spec.ts'
import { rephraseExplanation } from '../../src/worker/rephrase-explanation.ts'

const sentence = 'Over 12 months “sales” is forecast to average 1,050.'
const explanation: JobExplanation = {
  headline: sentence,
  narrative: sentence,
  dataFindings: [],
  forecastSummary: [sentence],
  operationalImplications: [],
  caveats: [],
  confidence: 0.7,
  generatedBy: 'rules'
}
const never = new AbortController().signal

interface Asked {
  url: string | undefined
  authorization: string | undefined
  body: { model: string, messages: Array<{ role: string, content: string }> }
}

/** An endpoint of somebody else, which answers as it likes. */
async function endpoint (t: Test,
  answer: (response: ServerResponse, asked: Asked) => void): Promise<{ url: string, asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer((request: IncomingMessage, response) => {
    let text = ''
    request.on('data', (part: Buffer) => {
      text += part.toString()
    }).on('end', () => {
      const one = {
        url: request.url,
        authorization: request.headers.authorization,
        body: JSON.parse(text) as Asked['body']
      }
      asked.push(one)
      answer(response, one)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`, asked }
}

const says = (content: unknown) => (response: ServerResponse) =>
  response.end(JSON.stringify({ choices: [{ message: { content } }] }))
const other = 'We expect “sales” to average 1,050 for the next 12 months.'

t.test('an answer that says the same replaces the words, and the model is named to the endpoint', async (t) => {
  const { url, asked } = await endpoint(t, says(`\`\`\`json\n${JSON.stringify({ sentences: [other] })}\n\`\`\``))
  const found = await rephraseExplanation(explanation, { url, model: 'local-7b', apiKey: 'secret' }, never)
  t.strictSame(found, {
    explanation: { ...explanation, headline: other, narrative: other, forecastSummary: [other], generatedBy: 'model' },
    reason: null
  })
  t.match(asked, [{
    url: '/v1/chat/completions',
    authorization: 'Bearer secret',
    body: {
      model: 'local-7b',
      messages: [{ role: 'system' }, { role: 'user', content: JSON.stringify({ sentences: [sentence] }) }]
    }
  }])
})

t.test('whatever else an endpoint does, the words are those of the rules, and the reason is known', async (t) => {
  const answers: Record<string, [(response: ServerResponse) => void, RegExp]> = {
    'another number': [says(JSON.stringify({ sentences: [other.replace('1,050', '1,060')] })), /something else/],
    'no JSON': [says('I am happy to help!'), /JSON/],
    'no sentences': [says('{}'), /no sentences/],
    'no content': [says(null), /no sentences/],
    'another shape': [(response) => response.end('[]'), /no sentences/],
    'an error': [(response) => response.writeHead(500).end('oops'), /answered 500/],
    'another address': [(response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(), /./],
    'a flood': [(response) => response.end('x'.repeat(1_000_000)), /too large/],
    'a closed line': [(response) => {
      response.destroy()
    }, /./],
    silence: [() => undefined, /in time/]
  }
  for (const [name, [answer, reason]] of Object.entries(answers)) {
    const { url } = await endpoint(t, answer)
    const found = await rephraseExplanation(explanation, {
      url,
      model: '',
      apiKey: '',
      timeoutMs: name === 'silence' ? 200 : 5000
    }, never)
    t.strictSame(found.explanation, explanation, name)
    t.match(found.reason, reason, name)
  }
  const unreachable = await rephraseExplanation(explanation, { url: 'not an address', model: '', apiKey: '' }, never)
  t.strictSame(unreachable.explanation, explanation)
  t.ok(unreachable.reason)
})

t.test('nobody is asked without a sentence or a key that is not there, and a run that is given up is given up', async (t) => {
  const { url, asked } = await endpoint(t, says('{"sentences":[]}'))
  const empty = { ...explanation, headline: '', narrative: '', forecastSummary: [] }
  t.strictSame((await rephraseExplanation(empty, { url, model: '', apiKey: '' }, never)).explanation, empty)
  t.strictSame(asked, [])
  await rephraseExplanation(explanation, { url, model: '', apiKey: '' }, never)
  t.equal(asked[0]?.authorization, undefined)
  const silent = await endpoint(t, () => undefined)
  const over = new AbortController()
  const running = rephraseExplanation(explanation, { url: silent.url, model: '', apiKey: '' }, over.signal)
  setTimeout(() => over.abort(new Error('cancelled')), 100)
  await t.rejects(running, { message: 'cancelled' })
})
