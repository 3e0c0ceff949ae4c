// Stores a sent picture of a profile or plan, and enqueues its conversion.
import { newId } from '#contract/ids.ts'
import type { ObjectStore } from '#server/adapters/files/object-store.ts'
import type { Sniffed } from '#contract/kinds/kind.ts'
import { ApiError } from '#server/http/errors.ts'
import type { ReceivedFile } from '#server/http/multipart.ts'
import type { Transaction, UnitOfWork } from '#server/services/transaction/unit-of-work.ts'
import type { Runtime } from '#server/services/runtime/settings.ts'
import { checkStored } from '#server/services/uploads/quota.ts'
import type { Db } from '#server/store/database.ts'
import { holdUploads } from '#server/store/media/media.ts'
import { claimUpload } from '#server/store/media/uploads.ts'
import { withStoredFiles } from './stored-files.ts'

export interface PicturePorts {
  readonly storage: { readonly objects: Pick<ObjectStore, 'put' | 'remove'> }
  readonly sniff: (file: string) => Promise<Sniffed | undefined>
  readonly transaction: Transaction<UnitOfWork>
  readonly runtime: Pick<Runtime, 'uploadLimits'>
  readonly clock: () => number
}

/**
 * Stores the one file of a request durably, and then commits the transaction that refers to it.
 * @param place records the media in its place; returns the waiting picture that it replaces
 * @throws ApiError `invalid` unless there is one file, `unsupported_media` if it is no picture, `storage_limit`
 */
export async function storePicture(
  ports: PicturePorts,
  ownerId: string,
  received: readonly ReceivedFile[],
  place: (tx: Db, mediaId: string) => Promise<string | undefined>,
): Promise<void> {
  const { clock, storage, transaction } = ports
  const [file] = received
  if (!file || received.length > 1) throw new ApiError('invalid', { picture: 'required' })
  const found = await ports.sniff(file.path)
  if (found?.kind !== 'image') throw new ApiError('unsupported_media', { picture: 'unsupported' })
  const id = newId()
  const key = `uploads/${id}` as const
  const limits = await ports.runtime.uploadLimits()
  await withStoredFiles(storage.objects, [{ key, file: file.path }], {
    refersTo: () => true,
    transaction: () =>
      transaction(async ({ tx, enqueue }) => {
        const [now, metadata] = [clock(), { filename: file.filename }]
        await claimUpload(tx, { id, ownerId, length: file.size, metadata, whole: true }, now)
        await checkStored(tx, ownerId, limits)
        await holdUploads(tx, [{ id, kind: 'image', mime: found.mime, duration: null }], now)
        const replaced = await place(tx, id)
        if (replaced !== undefined) await enqueue('media.remove', { mediaId: replaced })
        await enqueue('media.picture', { mediaId: id })
      }),
  })
}
