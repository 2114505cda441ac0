// Without the fonts, which are larger than all pages together; readers have good ones.
export { default } from 'vitepress/theme-without-fonts'
import './contrast.css'
import './pictures.css'
