// usePicture: the person's avatar or cover on the server, and its change.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type PictureRole, putPicture, removePicture } from '#contract/people/people.ts'
import { call } from '#src/domain/api/api.ts'
import { PICTURE_POLL_INTERVAL, usePictureChange } from '#src/domain/media/use-picture-change.ts'
import { viewer } from '#src/domain/session/session.ts'
import { toast } from '#src/ui/overlays/toast.ts'
import { picturesQuery } from './profiles.ts'

/** Largest sent width, twice the displayed one, px. */
const WIDTH: Record<PictureRole, number> = { avatar: 800, cover: 1920 }

/** The displayed and the picked picture, and their actions. */
export function usePicture(role: PictureRole) {
  const client = useQueryClient()
  const pictures = useQuery({
    ...picturesQuery,
    refetchInterval: ({ state }) => (state.data?.[role].next === 'making' ? PICTURE_POLL_INTERVAL : false),
  })
  return usePictureChange({
    now: pictures.data?.[role],
    width: WIDTH[role],
    toast,
    async send(body) {
      client.setQueryData(picturesQuery.queryKey, await call(putPicture, { params: { role }, body }))
    },
    async remove() {
      client.setQueryData(picturesQuery.queryKey, await call(removePicture, { params: { role } }))
    },
    // The avatar is on many pages.
    async onChanged() {
      await Promise.all([
        viewer.refreshNow(),
        client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'getOwnPictures' }),
      ])
    },
  })
}
