// Removes summaries of endpoints and groupings of routes from the built app.
import type { Plugin } from 'vite'

const SUMMARY = /^( *summary: )'[^'\n]*',$/gm

/** The code of a file of `contract/` with empty summaries, in as many lines. */
export const withoutSummaries = (code: string): string => code.replaceAll(SUMMARY, "$1'',")

/** Summaries are for the description of the API, which the server writes. */
export const removeSummaries = (): Plugin => ({
  name: 'todoke:without-summaries',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('/contract/') && id.endsWith('.ts') ? { code: withoutSummaries(code), map: null } : undefined,
})

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
