// Removes the summaries of endpoints from the built app, which never shows them.
import type { Plugin } from 'vite'

const CONTRACT = /\/contract\/.*\.ts$/
const SUMMARY = /^( *summary: )'[^'\n]*',$/gm

/** The code of a file of `contract/` with empty summaries, in as many lines. */
export const withoutSummaries = (code: string): string => code.replaceAll(SUMMARY, "$1'',")

/** Summaries are for the description of the API, which the server writes. */
export const removeSummaries = (): Plugin => ({
  name: 'todoke:without-summaries',
  enforce: 'pre',
  transform: { filter: { id: CONTRACT }, handler: (code) => ({ code: withoutSummaries(code), map: null }) },
})
