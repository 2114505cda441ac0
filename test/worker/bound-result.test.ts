import t from 'tap'
import { maxResultBytes, type JobWarning } from '../../src/domain/job-result.ts'
import type { PreparationReport } from '../../src/domain/preparation-spec.ts'
import { encodeMessage } from '../../src/platform/queue/codec.ts'
import { boundResult, boundWarnings } from '../../src/worker/bound-result.ts'
import type { PipelineResult } from '../../src/worker/slot-messages.ts'

const plain: PipelineResult = {
  files: [],
  numItems: 1,
  datasetHash: 'd',
  timings: { fit: 0.1 },
  warnings: [{ code: 'late', message: 'It is late.', count: 1 }]
}
const bytesOf = (value: object): number => encodeMessage(value as { v: number }).length

function preparation (idChars: number, filterChars = 0): PreparationReport {
  return {
    ...{
      rowsRead: 90,
      rowsUsed: 90,
      seriesBefore: 1,
      seriesAfter: 1,
      rowsCombined: 0,
      incompletePeriodsDropped: 0,
      stepsFilled: 0,
      stepsDropped: 0
    },
    filtered: filterChars === 0 ? [] : [{ column: 'a', op: 'eq', values: ['f'.repeat(filterChars)], rows: 1 }],
    anomalies: {
      found: 30,
      changed: 0,
      examples: Array.from({ length: 20 },
        (_, day) => ({ itemId: '😀'.repeat(idChars), timestamp: `2024-01-${day + 10}`, value: 9, usedInstead: null }))
    }
  }
}

function explanation (chars: number): NonNullable<PipelineResult['explanation']> {
  return {
    headline: 'It grows.',
    narrative: 'n'.repeat(chars),
    dataFindings: [],
    forecastSummary: [],
    operationalImplications: [],
    caveats: [],
    confidence: 0.5,
    generatedBy: 'rules'
  }
}

t.test('a result of ordinary size stays as it is', async (t) => {
  const result = { ...plain, preparation: preparation(200), explanation: explanation(4_000) }
  t.strictSame(boundResult(result), result)
})

t.test('what a job can do without goes first, as much of it as has to, and a warning says what', async (t) => {
  const examples = boundResult({ ...plain, preparation: preparation(32_768), explanation: explanation(4_000) })
  t.ok(bytesOf(examples) <= maxResultBytes)
  t.match(examples, {
    preparation: { rowsRead: 90, anomalies: { found: 30, examples: [] } },
    explanation: { headline: 'It grows.' }
  })
  t.match(examples.warnings, [{ code: 'late' }, {
    code: 'result_shortened',
    message: /262144 bytes.* 26\d{5}\. Left out: the examples of anomalies\.$/,
    count: 1
  }])

  const words = boundResult({ ...plain, preparation: preparation(32_768), explanation: explanation(300_000) })
  t.ok(bytesOf(words) <= maxResultBytes)
  t.notOk('explanation' in words)
  t.match(words.warnings.at(-1), {
    message: /: the examples of anomalies; the explanation in words, which is in the report\.$/,
    count: 2
  })

  const artifact = {
    name: 'shap.html',
    analysis: 'shap' as const,
    label: 'SHAP',
    format: 'html' as const,
    description: '',
    renderInline: true,
    previewMarkdown: 'p'.repeat(300_000),
    highlights: ['h'],
    isPrimaryVisual: true,
    isThumbnail: false
  }
  const previews = boundResult({
    ...plain,
    explainability: { overviewMarkdown: 'o', completed: ['shap'], skipped: {}, warnings: [], artifacts: [artifact] }
  })
  t.match(previews, {
    explainability: { overviewMarkdown: 'o', artifacts: [{ name: 'shap.html', previewMarkdown: '', highlights: [] }] }
  })
})

t.test('what no job can do without is refused when it is too large', async (t) => {
  t.throws(() => boundResult({ ...plain, preparation: preparation(10, 300_000) }), {
    name: 'OutputTooLarge',
    message: /has 300\d{3} bytes, and a job keeps 262144\. Use fewer/
  })
})

t.test('of many warnings the first ones stay, and the last one counts the others', async (t) => {
  const many: JobWarning[] = Array.from({ length: 1_000 },
    (_, index) => ({ code: 'c', message: `${index} ${'m'.repeat(200)}`, count: 1 }))
  const kept = boundWarnings(many)
  const last = kept.at(-1)
  t.match(last, {
    code: 'warnings_left_out',
    message: /^\d+ more warnings are left out/,
    count: 1_000 - (kept.length - 1)
  })
  t.strictSame(kept.slice(0, -1), many.slice(0, kept.length - 1))
  t.ok(bytesOf(kept) < 70_000)
  t.strictSame(boundWarnings(many.slice(0, 100)), many.slice(0, 100))
  t.match(boundWarnings([{ code: 'c', message: 'm'.repeat(100_000), count: 1 }]), [{
    code: 'warnings_left_out',
    message: /^1 more warning is/
  }])
})
