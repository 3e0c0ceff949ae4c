// Routes of a member's avatar and cover, which the media job converts.
import type { FastifyInstance } from 'fastify'
import { newId } from '#contract/ids.ts'
import { facePath, MEDIA_PATH } from '#contract/paths.ts'
import { getOwnPictures, type PictureRole, putPicture, removePicture } from '#contract/people/people.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limits.ts'
import type { ReceivedFile } from '#server/http/multipart.ts'
import { checkStored } from '#server/services/uploads/quota.ts'
import { memberRoute } from '#server/http/route.ts'
import { holdUploads } from '#server/store/media/media.ts'
import { pictureStates, setNextPicture, removePictures } from '#server/store/people/profiles.ts'
import { claimUpload } from '#server/store/media/uploads.ts'

export function pictureRoutes(app: FastifyInstance, deps: Deps): void {
  const rateLimit = perPerson(deps.settings.limits.profile)

  memberRoute(app, getOwnPictures, ({ viewer }) => picturesOf(deps, viewer.id))

  memberRoute(
    app,
    putPicture,
    async ({ viewer, params, files }) => {
      const [file] = files
      if (!file || files.length > 1) throw new ApiError('invalid', { picture: 'required' })
      await savePicture(deps, viewer.id, params.role, file)
      return picturesOf(deps, viewer.id)
    },
    { rateLimit, temporary: deps.files },
  )

  memberRoute(
    app,
    removePicture,
    async ({ viewer, params }) => {
      await deps.transaction(async ({ tx, enqueue }) => {
        const removed = await removePictures(tx, viewer.id, [params.role, `${params.role}_next`])
        for (const mediaId of removed) await enqueue('media.remove', { mediaId })
      })
      return picturesOf(deps, viewer.id)
    },
    { rateLimit },
  )
}

async function picturesOf({ db }: Deps, userId: string) {
  const { avatar, cover } = await pictureStates(db, userId)
  return {
    avatar: { url: avatar.shown && facePath(avatar.shown), next: avatar.next },
    cover: { url: cover.shown && `${MEDIA_PATH}/${cover.shown}/w960`, next: cover.next },
  }
}

/** Stores the file durably, and then commits the transaction that refers to it. */
async function savePicture(deps: Deps, userId: string, role: PictureRole, file: ReceivedFile): Promise<void> {
  const { clock, files, transaction } = deps
  const found = await deps.sniff(file.path)
  if (found?.kind !== 'image') throw new ApiError('unsupported_media', { picture: 'unsupported' })
  const id = newId()
  const path = files.uploadPath(id)
  await files.moveDurably(file.path, path)
  try {
    await transaction(async ({ tx, enqueue }) => {
      const [now, metadata] = [clock(), { filename: file.filename }]
      await claimUpload(tx, { id, ownerId: userId, length: file.size, metadata, whole: true }, now)
      await checkStored(tx, userId, deps.settings.uploadsPerPerson)
      await holdUploads(tx, [{ id, kind: 'image', mime: found.mime, duration: null }], now)
      const replaced = await setNextPicture(tx, userId, role, id)
      if (replaced !== undefined) await enqueue('media.remove', { mediaId: replaced })
      await enqueue('media.picture', { mediaId: id })
    })
  } catch (error) {
    await files.remove(path)
    throw error
  }
}
