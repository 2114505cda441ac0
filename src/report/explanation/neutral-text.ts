/**
 * Names of model libraries, hosted models and their vendors, which our sentences must not contain. A hyphen or a space
 * in a name also stands for other separators, or none.
 */
export const deniedNames: readonly string[] = [
  'amazon forecast',
  'anthropic',
  'arima',
  'auto-gluon',
  'azure openai',
  'bedrock',
  'cat-boost',
  'chat-gpt',
  'chronos',
  'claude',
  'cohere',
  'deep-ar',
  'deep-seek',
  'fb-prophet',
  'gemini',
  'gluon-ts',
  'gpt',
  'h2o',
  'hugging-face',
  'keras',
  'lag-llama',
  'lgbm',
  'light-gbm',
  'llama',
  'mistral',
  'mixtral',
  'ml-forecast',
  'moirai',
  'n-beats',
  'n-hits',
  'neural-forecast',
  'neural-prophet',
  'nixtla',
  'openai',
  'prophet',
  'pytorch',
  'qwen',
  'sagemaker',
  'scikit-learn',
  'sk-learn',
  'sktime',
  'stats-forecast',
  'stats-models',
  'tab-pfn',
  'tensor-flow',
  'time-copilot',
  'time-gpt',
  'times-fm',
  'ti-rex',
  'vertex ai',
  'xg-boost',
  'xgb'
]

const denied = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${
    deniedNames.map((name) => name.replaceAll(/[- ]/g, '[-_ ]?')).join('|')
  })(?:[-_ ]?(?:regressor|classifier|ranker))?(?:[-_ ]?v?\\d+(?:\\.\\d+)*\\w?)?(?![\\p{L}\\p{N}])`,
  'giu'
)
/** Invisible characters, which could hide a name from this code but not from a reader. */
const unseen = /[\u{AD}\u{200B}-\u{200D}\u{2060}\u{FEFF}]/gu
/** Quoted names are a customer's own. An apostrophe inside a word is not a quotation mark. */
const quotedName = /(“[^“”]*”|"[^"]*"|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}]))/u

/** Whether the text contains one of these names, in any spelling. */
export function hasDeniedName (text: string): boolean {
  return plain(text).search(denied) >= 0
}

/** The text with `model` in place of each of these names. Quoted parts stay as they are. */
export function neutralText (text: string): string {
  return text.split(quotedName).map((part, index) =>
    index % 2 === 1 || !hasDeniedName(part) ? part : plain(part).replaceAll(denied, 'model')
  ).join('')
}

function plain (text: string): string {
  return text.normalize('NFKC').replaceAll(unseen, '')
}
