import { join } from 'node:path'
import { headingAnchor } from '../../scripts/linked-documents.mjs'
import { accessibleSearch } from './accessible-search.mjs'
import { dropComments } from './comments.mjs'
import { frameIndentedCode } from './indented-code.mjs'
import { bundledLicences } from './licences.mjs'
import { readSidebar } from './sidebar.mjs'
import { resolveLinks } from './links.mjs'
import { showPictures } from './pictures.mjs'
import { offerForms } from './try-requests.mjs'

const pages = join(import.meta.dirname, '..')

export default {
  title: 'tabcast',
  description: 'Forecasts of time series and models of tables, on your own machines.',
  lang: 'en',
  // The service answers there.
  base: '/docs/',
  cleanUrls: true,
  // A change between light and dark would write a style into the page, which the policy forbids.
  appearance: { disableTransition: false },
  // One file that all pages share, and no script in them that differs.
  metaChunk: true,
  // Side by side, pages would be in the index of the search in another order each time, and no build like the other.
  buildConcurrency: 1,
  // No icon, and no request for one.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  rewrites: { 'README.md': 'index.md' },
  cacheDir: join(pages, '..', '.cache', 'vitepress'),
  markdown: {
    anchor: { slugify: headingAnchor },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // Texts of settings and errors have <names> in them.
    html: false,
    // The picture of the other scheme is not loaded.
    image: { lazyLoading: true },
    config (md) {
      dropComments(md)
      showPictures(md)
      frameIndentedCode(md)
      offerForms(md)
      resolveLinks(md)
    }
  },
  vite: { plugins: [accessibleSearch(), bundledLicences()] },
  themeConfig: {
    nav: [{ text: 'Try the API', link: '/reference/api#routes' }],
    sidebar: readSidebar(join(pages, 'README.md')),
    outline: [2, 3],
    search: { provider: 'local' }
  }
}
