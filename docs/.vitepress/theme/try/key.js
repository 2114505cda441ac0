import { ref } from 'vue'

/** The key of all forms. It is in no storage and no address, so it is gone with the page. */
export const apiKey = ref('')
