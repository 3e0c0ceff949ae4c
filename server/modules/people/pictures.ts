// Routes of a member's avatar and cover, which the media job converts.
import type { FastifyInstance } from 'fastify'
import { facePath, MEDIA_PATH } from '#contract/paths.ts'
import { getOwnPictures, putPicture, removePicture } from '#contract/people/people.ts'
import type { Deps } from '#server/deps.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { memberRoute } from '#server/http/route.ts'
import { storePicture } from '#server/services/media/store-picture.ts'
import { pictureStates, setNextPicture, removePictures } from '#server/store/people/profiles.ts'

export function pictureRoutes(app: FastifyInstance, deps: Deps): void {
  const rateLimit = perPerson(deps.settings.limits.profile)

  memberRoute(app, getOwnPictures, ({ viewer }) => picturesOf(deps, viewer.id))

  memberRoute(
    app,
    putPicture,
    async ({ viewer, params, files }) => {
      await storePicture(deps, viewer.id, files, (tx, mediaId) =>
        setNextPicture(tx, viewer.id, params.role, mediaId),
      )
      return picturesOf(deps, viewer.id)
    },
    { rateLimit, temporary: deps.storage.scratch },
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
