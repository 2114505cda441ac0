import { Type } from 'typebox'

const strings = Type.Array(Type.String(), { default: [] })

const artifact = Type.Object({
  artifact_id: Type.String(),
  analysis: Type.String(),
  label: Type.String(),
  format: Type.String(),
  output_path: Type.String(),
  download_url: Type.String(),
  embed_url: Type.Optional(Type.String()),
  description: Type.String({ default: '' }),
  render_inline: Type.Boolean({ default: false }),
  preview_markdown: Type.String({ default: '' }),
  highlights: strings,
  display_order: Type.Integer({ default: 0 }),
  is_primary_visual: Type.Boolean({ default: false }),
  is_thumbnail: Type.Boolean({ default: false })
})

export const explainabilityStatus = Type.Object({
  enabled: Type.Boolean({ default: false }),
  overview_markdown: Type.String({ default: '' }),
  selected_analyses: strings,
  completed_analyses: strings,
  skipped_analyses: Type.Object({}, { additionalProperties: Type.String(), description: 'Reason by analysis.' }),
  warnings: strings,
  artifacts: Type.Array(artifact, { default: [] }),
  summary_path: Type.Optional(Type.String())
})

/** Business explanation of a completed job. */
export const explanation = Type.Object({
  headline: Type.String({ default: '' }),
  narrative: Type.String({ default: '' }),
  data_findings: strings,
  forecast_summary: strings,
  operational_implications: strings,
  caveats: strings,
  confidence: Type.Number({ default: 0 }),
  generated_by: Type.String()
})
