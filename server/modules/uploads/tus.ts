// The resumable protocol on our terms: ids from the device, rows decide who owns what, nothing is published here.
import { Server, type Upload } from '@tus/server'
import * as v from 'valibot'
import { id as idSchema, newId } from '#contract/ids.ts'
import { MAX_TOTAL_BYTES } from '#contract/limits.ts'
import { TUS_PATH } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { storedName } from '#server/http/file-name.ts'
import { checkUsage } from '#server/services/uploads/quota.ts'
import {
  claimUpload,
  findUpload,
  finishUpload,
  removeUpload,
  setUploadLength,
} from '#server/store/media/uploads.ts'
import { DRAIN_MS, type Store } from './patch.ts'
import type { TusRequest } from './request.ts'

export interface Asking {
  readonly userId: string
  /** What went wrong inside, for the answer. */
  cause?: unknown
}

export interface Tus {
  readonly server: Server
  readonly store: Store
  /** Ties a request to who sent it, before it is handled. */
  ask(request: TusRequest, asking: Asking): void
}

export function createTus(deps: Deps): Tus {
  const { db } = deps
  const asking = new WeakMap<TusRequest, Asking>()
  const who = (request: TusRequest): Asking => {
    const it = asking.get(request)
    if (!it) throw new ApiError('unauthenticated')
    return it
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
      if (row?.ownerId !== who(request).userId || row.received !== null) throw new ApiError('not_found')
    },
    async onUploadCreate(request, upload) {
      await claim(deps, who(request).userId, upload)
      return {}
    },
    onResponseError(request, error) {
      const it = asking.get(request)
      if (it) it.cause = error
      return undefined
    },
  })
  return { server, store, ask: (request, it) => void asking.set(request, it) }
}

function chosenId(given: string | null | undefined): string {
  if (given === undefined || given === null) return newId()
  const parsed = v.safeParse(idSchema, given)
  if (!parsed.success) throw new ApiError('invalid', { id: 'malformed' })
  return parsed.output
}

const storedMetadata = ({ metadata }: Upload): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(metadata ?? {}).map(([key, value]) => [key, value === null ? null : storedName(value)]),
  )

/** Another person's upload is answered as unknown: its existence is not revealed. */
async function claim(deps: Deps, ownerId: string, upload: Upload): Promise<void> {
  const length = upload.size ?? null
  const row = { id: upload.id, ownerId, length, metadata: storedMetadata(upload), whole: length === 0 }
  const claimed = await deps.transaction(async ({ tx }) => {
    if (!(await claimUpload(tx, row, deps.clock()))) return false
    await checkUsage(tx, ownerId, deps.settings.uploadsPerPerson)
    return true
  })
  if (claimed) return
  const known = await findUpload(deps.db, upload.id)
  throw new ApiError(known?.ownerId === ownerId ? 'upload_exists' : 'not_found')
}

function factsOf({ db, clock }: Deps) {
  return {
    async find(id: string) {
      const row = await findUpload(db, id)
      return row && { ...row, expired: row.expiredAt !== null, finished: row.finishedAt !== null }
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
