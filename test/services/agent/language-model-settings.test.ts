import t from 'tap'
import { ConfigError, loadConfig } from '../../../src/platform/config.ts'
import { languageModelOptions } from '../../../src/services/agent/language-model/language-model-options.ts'
import { runTabcast } from '../../support/command.ts'

const of = (env: Record<string, string>) => languageModelOptions(loadConfig(env))
const set = { TABCAST_LLM_BASE_URL: 'http://llm.internal:8000/v1', TABCAST_LLM_MODEL: 'local-7b' }

t.test('there is a language model where the settings name one', async (t) => {
  t.equal(of({}), null)
  t.strictSame(of(set), {
    url: new URL('http://llm.internal:8000/v1/chat/completions'),
    model: 'local-7b',
    apiKey: '',
    timeoutMs: 20_000
  })
  t.equal(of({ ...set, TABCAST_LLM_BASE_URL: 'https://llm.example//' })?.url.href,
    'https://llm.example/chat/completions')
  t.match(of({ ...set, TABCAST_LLM_API_KEY: 'sk-canary', TABCAST_LLM_TIMEOUT_MS: '500' }), {
    apiKey: 'sk-canary',
    timeoutMs: 500
  })
})

t.test('settings that make none are refused by name, with the remedy and without the secret', async (t) => {
  const cases: Array<[Record<string, string>, RegExp]> = [
    [{ TABCAST_LLM_MODEL: 'local-7b' }, /TABCAST_LLM_MODEL is set and TABCAST_LLM_BASE_URL is not: set both/],
    [{ TABCAST_LLM_API_KEY: 'sk-canary' }, /TABCAST_LLM_API_KEY is set and TABCAST_LLM_BASE_URL is not/],
    [{ ...set, TABCAST_LLM_MODEL: '' }, /TABCAST_LLM_MODEL is missing/],
    [{ ...set, TABCAST_LLM_API_KEY: 'sk-canary\n' }, /TABCAST_LLM_API_KEY=<set, not shown>: must be printable/],
    [{ ...set, TABCAST_LLM_TIMEOUT_MS: '20s' }, /TABCAST_LLM_TIMEOUT_MS="20s": must be an integer/],
    ...['llm.internal:8000', 'ftp://llm.internal', 'http://user:sk-canary@llm.internal/v1',
      'http://llm.internal/v1?key=sk-canary', 'http://llm.internal/#sk-canary']
      .map((
        base
      ): [Record<string, string>, RegExp] => [{ ...set, TABCAST_LLM_BASE_URL: base },
        /TABCAST_LLM_BASE_URL: must be an http or https address/]
      )
  ]
  for (const [env, text] of cases) {
    t.throws(() => of(env), ConfigError)
    try {
      of(env)
    } catch (error) {
      t.match((error as Error).message, text)
      t.notMatch((error as Error).message, 'canary')
    }
  }
  for (const role of ['serve', 'api']) {
    const { status, stderr } = await runTabcast([role], {
      TABCAST_DATA_DIR: `${t.testdirName}-data`,
      TABCAST_LLM_MODEL: 'local-7b'
    })
    t.equal(status, 78, role)
    t.match(stderr, /TABCAST_LLM_MODEL is set and TABCAST_LLM_BASE_URL is not/)
  }
})
