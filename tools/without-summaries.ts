// Removes the summaries of endpoints from the built app, which never shows them.
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
