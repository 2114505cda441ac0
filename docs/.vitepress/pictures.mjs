const source = /<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">/.source
const image = /<img alt="([^"]+)"\s+src="([^"]+)" width="(\d+)">/.source
const picture = new RegExp(`<picture>\\s+${source}\\s+${image}\\s+</picture>`, 'g')

/**
 * A light and a dark image, written as GitHub wants it. A reader of these pages may have chosen the other scheme than
 * that of the machine, so both are in the page, and the style shows one.
 */
export function showPictures (md) {
  md.core.ruler.before('normalize', 'pictures', (state) => {
    state.src = state.src.replaceAll(picture,
      (_, dark, text, light, width) =>
        `![${text}](${light}){.only-light width=${width}} ![${text}](${dark}){.only-dark width=${width}}`)
    if (state.src.includes('<picture>')) {
      throw new Error(`${state.env.relativePath}: a <picture> is not written like those of first-forecast.md`)
    }
  })
}
