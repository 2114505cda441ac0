/** Names of model libraries, hosted models and their vendors, which no explanation may carry. */
export const deniedNames: readonly string[] = [
  'anthropic', 'arima', 'autogluon', 'azure openai', 'bedrock', 'catboost', 'chatgpt', 'chronos', 'claude', 'deepar', 'deepseek',
  'gemini', 'gluonts', 'gpt', 'h2o', 'huggingface', 'hugging face', 'keras', 'lag-llama', 'lightgbm', 'llama', 'mistral', 'mlforecast',
  'moirai', 'n-beats', 'nbeats', 'neuralforecast', 'neuralprophet', 'nhits', 'nixtla', 'openai', 'prophet', 'pytorch', 'qwen', 'sagemaker', 'scikit-learn',
  'sklearn', 'sktime', 'statsforecast', 'statsmodels', 'tabpfn', 'tensorflow', 'timecopilot', 'timegpt', 'timesfm', 'tirex', 'vertex ai',
  'xgboost'
]

const denied = new RegExp(`(?<![\\p{L}\\p{N}])(?:${deniedNames.map((name) => name.replaceAll(/[-]/g, '[-_ ]?')).join('|')})(?:[-_ ]?v?\\d+(?:\\.\\d+)*\\w?)?(?![\\p{L}\\p{N}])`, 'giu')

/** The text with `model` in place of each of these names. */
export function neutralText (text: string): string {
  return text.replaceAll(denied, 'model')
}
