// Removes the groupings of routes from the built app, which needs none.
import type { Plugin } from 'vite'

const GROUPINGS = /codeSplitGroupings:\s*\[(?:[^[\]]*\[[^[\]]*\])*[^[\]]*\],?/g

/** The code of a route without its groupings. */
export const withoutGroupings = (code: string): string => code.replaceAll(GROUPINGS, '')

/** Runs after the plugin of the router, which reads them; the first download has every route. */
export const removeGroupings = (): Plugin => ({
  name: 'todoke:without-groupings',
  enforce: 'post',
  transform: (code, id) =>
    id.includes('/src/routes/') ? { code: withoutGroupings(code), map: null } : undefined,
})
