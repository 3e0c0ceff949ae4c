// Replaces the URL parser that tus-js-client brings by the browser's own.
import type { Plugin } from 'vite'

const NATIVE = '\0native-url'

/** tus-js-client resolves the address of an upload with it, and nothing else. */
export const nativeUrl = (): Plugin => ({
  name: 'todoke:native-url',
  enforce: 'pre',
  resolveId: (id) => (id === 'url-parse' ? NATIVE : undefined),
  load: (id) => (id === NATIVE ? 'export default globalThis.URL' : undefined),
})
