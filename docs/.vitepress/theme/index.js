// Without the fonts, which are larger than all pages together; readers have good ones.
import Theme from 'vitepress/theme-without-fonts'
import './contrast.css'
import './pictures.css'
import TryRequest from './try/TryRequest.vue'

export default {
  extends: Theme,
  enhanceApp ({ app }) {
    app.component('TryRequest', TryRequest)
  }
}
