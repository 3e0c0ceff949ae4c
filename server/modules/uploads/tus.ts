// Configures @tus/server: ids come from the device, and rows decide who owns an upload.
// An upload alone publishes nothing.
import { Server, type Upload } from '@tus/server'
import * as v from 'valibot'
import { id as idSchema, newId } from '#contract/ids.ts'
import { MAX_TOTAL_BYTES } from '#contract/limits.ts'
import { TUS_PATH } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { storedName } from '#server/http/file-name.ts'
import { checkUploadSize } from '#server/services/runtime/limits.ts'
import { checkUsage } from '#server/services/uploads/quota.ts'
import { isDocument } from '#server/store/media/upload-keys.ts'
import {
  claimUpload,
  findUpload,
  finishUpload,
  removeUpload,
  setUploadLength,
} from '#server/store/media/uploads.ts'
import { takesParts } from './parts.ts'
import { DRAIN_MS, type Store } from './receiving.ts'
import type { TusRequest } from './request.ts'

export interface CallContext {
  readonly userId: string
  /** The error that was thrown while the request was handled, for the reply. */
  cause?: unknown
  /** Whether the upload takes numbered parts. */
  takesParts?: boolean
}

export interface Tus {
  readonly server: Server
  readonly store: Store
  /** Sets the context of a request, before the server handles it. */
  setContext(request: TusRequest, context: CallContext): void
}

export function createTus(deps: Deps): Tus {
  const { db } = deps
  const contexts = new WeakMap<TusRequest, CallContext>()
  const contextOf = (request: TusRequest): CallContext => {
    const context = contexts.get(request)
    if (!context) throw new ApiError('unauthenticated')
    return context
  }
  const store = deps.uploadStore(factsOf(deps))
  const server = new Server({
    path: TUS_PATH,
    datastore: store,
    locker: deps.uploadLocks,
    lockDrainTimeout: DRAIN_MS,
    relativeLocation: true,
    maxSize: MAX_TOTAL_BYTES,
    namingFunction: (_request, metadata) => chosenId(metadata?.['id']),
    async onIncomingRequest(request, id) {
      if (request.method === 'POST') return
      const row = v.is(idSchema, id) ? await findUpload(db, id) : undefined
      const context = contextOf(request)
      if (row?.ownerId !== context.userId || row.received !== null) throw new ApiError('not_found')
      context.takesParts = takesParts(row)
    },
    async onUploadCreate(request, upload) {
      const context = contextOf(request)
      await claim(deps, context.userId, upload)
      context.takesParts = takesParts({ length: upload.size ?? null, metadata: storedMetadata(upload) })
      return {}
    },
    onResponseError(request, error) {
      const context = contexts.get(request)
      if (context) context.cause = error
      return undefined
    },
  })
  return { server, store, setContext: (request, context) => void contexts.set(request, context) }
}

function chosenId(requested: string | null | undefined): string {
  if (requested === undefined || requested === null) return newId()
  const parsed = v.safeParse(idSchema, requested)
  if (!parsed.success) throw new ApiError('invalid', { id: 'malformed' })
  return parsed.output
}

const storedMetadata = ({ metadata }: Upload): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(metadata ?? {}).map(([key, value]) => [key, value === null ? null : storedName(value)]),
  )

/** Claims an id for its owner. An id of another person's upload is `not_found`: its existence is not revealed. */
async function claim(deps: Deps, ownerId: string, upload: Upload): Promise<void> {
  const length = upload.size ?? null
  if (length !== null) await checkUploadSize(deps, ownerId, length)
  const limits = await deps.runtime.uploadLimits()
  const row = { id: upload.id, ownerId, length, metadata: storedMetadata(upload), whole: length === 0 }
  const claimed = await deps.transaction(async ({ tx }) => {
    if (!(await claimUpload(tx, row, deps.clock()))) return false
    await checkUsage(tx, ownerId, limits)
    return true
  })
  if (claimed) return
  const known = await findUpload(deps.db, upload.id)
  if (known?.ownerId !== ownerId) throw new ApiError('not_found')
  deps.metrics.repeated('upload')
  throw new ApiError('upload_exists')
}

function factsOf({ db, clock }: Deps) {
  return {
    async find(id: string) {
      const row = await findUpload(db, id)
      return (
        row && {
          ...row,
          expired: row.expiredAt !== null,
          finished: row.finishedAt !== null,
          isDocument: isDocument(row),
        }
      )
    },
    setLength: (id: string, length: number) => setUploadLength(db, id, length),
    finish: (id: string) => finishUpload(db, id, clock()),
    async remove(id: string) {
      const row = await findUpload(db, id)
      const outcome = row ? await removeUpload(db, id, row.ownerId) : 'unknown'
      if (outcome === 'held') throw new ApiError('upload_held')
      if (outcome === 'unknown') throw new ApiError('not_found')
    },
  }
}
