// The device's stored deliveries, and which changes of them a power cut may undo.
import { isDeepStrictEqual } from 'node:util'
import type { Draft, Early, Job, JobFacts, Receipt } from '#device/database/schema.ts'

/** Rows by their ids. */
export interface Stored {
  jobs: Map<string, Job>
  early: Map<string, Early>
  drafts: Map<string, Draft>
  receipts: Map<string, Receipt>
}

export const noRows = (): Stored => ({
  jobs: new Map(),
  early: new Map(),
  drafts: new Map(),
  receipts: new Map(),
})

/** What no transaction over these stores writes can be had again. */
export const strictStores: ReadonlySet<string> = new Set([
  'acts',
  'chunks',
  'identity',
  'media',
  'session',
  'shared',
])

/** What the server can be asked again: how far each file is, and what follows from it. */
export function mayBeLost(before: JobFacts, after: JobFacts): boolean {
  const rest = (facts: JobFacts) => ({
    ...facts,
    attempts: 0,
    wait: null,
    ending: facts.ending.is === 'failed' ? 'open' : facts.ending.is,
    media: facts.media.map((file) => ({ ...file, acked: 0, begun: true, done: false })),
  })
  return isDeepStrictEqual(rest(before), rest(after))
}
