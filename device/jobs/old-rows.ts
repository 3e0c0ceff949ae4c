// Converts job rows of database version 9 and before to the current form.
import * as v from 'valibot'
import { failureCode } from './failure-code.ts'
import type { FileState, JobFile } from './file-row.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

const oldFile = v.object({
  id: v.string(),
  size: count,
  acked: count,
  begun: v.boolean(),
  url: v.nullable(v.string()),
  done: v.boolean(),
  paused: v.boolean(),
  resends: v.object({ digest: count, gone: count }),
  discard: v.boolean(),
  failed: v.optional(v.nullable(failureCode), null),
  dropped: v.optional(v.boolean(), false),
})

const oldFacts = v.object({
  media: v.array(oldFile),
  addTried: v.boolean(),
  post: v.nullable(v.object({ id: v.string(), videoId: v.nullable(v.string()) })),
  ending: v.variant('is', [
    v.object({ is: v.literal('open') }),
    v.object({ is: v.literal('cancelled') }),
    v.object({ is: v.literal('released'), at: v.number() }),
    v.object({ is: v.literal('delivered'), id: v.string(), at: v.number() }),
    v.looseObject({ is: v.literal('failed') }),
  ]),
  attempts: count,
  wait: v.unknown(),
  readds: v.optional(count, 0),
})
type OldFile = v.InferOutput<typeof oldFile>
type OldFacts = v.InferOutput<typeof oldFacts>

const oldRow = v.looseObject({ id: v.string(), facts: oldFacts })

/** Converts a row of the store `jobs`; `undefined` for one that does not parse: it stays as it is. */
export function upgradedJob(raw: unknown): object | undefined {
  const { success, output } = v.safeParse(oldRow, raw)
  if (!success) return undefined
  const { facts, ...rest } = output
  const common = { files: facts.media.map(fileOf), ...retryOf(facts) }
  if (rest['kind'] === 'identity') {
    const { protocol: _, ...row } = rest
    return { ...row, ...common, stage: requestStage(facts) }
  }
  if (rest['kind'] !== 'post') return undefined
  return { ...rest, key: rest['key'] ?? rest.id, ...common, stage: postStage(facts), readds: facts.readds }
}

/** Converts a row of the store `early`; otherwise as `upgradedJob`. */
export function upgradedPreupload(raw: unknown): object | undefined {
  const { success, output } = v.safeParse(oldRow, raw)
  if (!success) return undefined
  const { facts, protocol: _, form: _form, ...row } = output
  return {
    ...row,
    kind: 'preupload',
    files: facts.media.map(fileOf),
    stage: requestStage({ ...facts, addTried: false }),
    ...retryOf(facts),
  }
}

/** Converts a row of the store `acts`; otherwise as `upgradedJob`. */
export function upgradedMutation(raw: unknown): object | undefined {
  const { success, output } = v.safeParse(v.looseObject({ ...oldRow.entries, form: oldForm }), raw)
  if (!success) return undefined
  const { facts, form, ...row } = output
  const { act, ...about } = form
  return {
    ...row,
    kind: 'mutation',
    form: { ...about, mutation: act },
    stage: requestStage(facts),
    ...retryOf(facts),
  }
}
const oldForm = v.looseObject({ act: v.unknown() })

const retryOf = ({ attempts, wait }: OldFacts) => ({ attempts, wait })

function postStage({ ending, post, addTried }: OldFacts): object {
  switch (ending.is) {
    case 'open':
      return post ? { is: 'added', post } : { is: addTried ? 'requested' : 'open' }
    case 'failed':
    case 'cancelled':
    case 'released':
      return { ...ending, post }
    case 'delivered':
      return { is: 'open' }
    default:
      return ending satisfies never
  }
}

/** The stage of a job without a post. */
function requestStage({ ending, addTried }: OldFacts): object {
  if (ending.is === 'open') return { is: addTried ? 'requested' : 'open' }
  return ending.is === 'released' ? { is: 'open' } : ending
}

function fileOf({ id, size, resends, ...flags }: OldFile): JobFile {
  return { id, size, resends, state: stateOf({ size, ...flags }) }
}

/** The state of a file: of several flags, the one that decided its next step. */
function stateOf(file: Omit<OldFile, 'id' | 'resends'>): FileState {
  const { acked, begun, url, done, paused, discard, dropped, failed, size } = file
  const upload = begun ? { acked: Math.min(acked, size), url } : null
  if (discard || dropped)
    return { is: 'discarding', url, next: dropped ? 'remove' : paused ? 'pause' : 'send' }
  if (failed !== null) return { is: 'failed', code: failed, upload }
  if (done) return { is: 'sent', url }
  if (paused) return { is: 'paused', upload }
  return upload ? { is: 'sending', upload } : { is: 'waiting' }
}
