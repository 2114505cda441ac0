import { Type } from 'typebox'
import { nullable } from './nullable.ts'

const strings = Type.Array(Type.String(), { default: [] })

export const artifact = Type.Object({
  artifact_id: Type.String({ description: 'The name of the file.' }),
  analysis: Type.String({ description: 'The name of the request field that asks for it.' }),
  label: Type.String(),
  format: Type.String({ description: 'csv, html or svg.' }),
  output_path: Type.String({ description: 'Path of the file in the zip of the result.' }),
  download_url: Type.String(),
  embed_url: Type.Optional(
    Type.String({
      description: 'For html and svg; reading it needs the key. Show a page as `srcdoc` of a frame with ' +
        '`sandbox="allow-scripts"`, and a drawing as an image.'
    })
  ),
  description: Type.String({ default: '' }),
  render_inline: Type.Boolean({ default: false, description: 'Whether it is small enough to show beside the result.' }),
  preview_markdown: Type.String({ default: '', description: 'A few rows as a table.' }),
  highlights: strings,
  display_order: Type.Integer({ default: 0 }),
  is_primary_visual: Type.Boolean({ default: false, description: 'true for one page: show it first.' }),
  is_thumbnail: Type.Boolean({ default: false, description: 'true for one drawing.' })
})

export const explainabilityStatus = Type.Object({
  enabled: Type.Boolean({ default: false }),
  overview_markdown: Type.String({ default: '', description: 'At most 1,500 characters.' }),
  selected_analyses: strings,
  completed_analyses: strings,
  skipped_analyses: Type.Object({}, {
    additionalProperties: Type.String(),
    description: 'Why each analysis was skipped.'
  }),
  warnings: strings,
  artifacts: Type.Array(artifact, { default: [] }),
  summary_path: Type.Optional(
    Type.String({
      description: 'Path of the summary in the zip of the result. Its address is `explainability_url`.'
    })
  )
})

export const explainabilityConfig = Type.Object({
  enabled: Type.Boolean(),
  feature_importance: Type.Boolean(),
  shap: Type.Boolean(),
  feature_feature_correlations: Type.Boolean(),
  feature_target_correlations: Type.Boolean(),
  forecast_plot: Type.Boolean(),
  rolling_regression: Type.Boolean(),
  trailing_history_steps: nullable(Type.Integer(), 'null: min(2 * prediction_length, 120).'),
  max_rows: Type.Integer(),
  max_features: Type.Integer(),
  top_k_features: Type.Integer(),
  shap_sample_size: Type.Integer()
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
