// People: the profile others see.
import type { FastifyInstance } from 'fastify'
import { MEDIA_PATH } from '#contract/paths.ts'
import { getProfile } from '#contract/people.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { route } from '#server/http/route.ts'
import { accountState, countPosts, findPicture, findUser } from '#server/store/people.ts'

export function peopleRoutes(app: FastifyInstance, { db }: Deps): void {
  route(app, getProfile, async ({ params }) => {
    const user = await findUser(db, params.user_id)
    if (!user || (await accountState(db, user.id)) !== 'present') throw new ApiError('not_found')
    const avatar = await findPicture(db, user.id, 'avatar')
    const cover = await findPicture(db, user.id, 'cover')
    return {
      id: user.id,
      name: user.name,
      handle: user.handle,
      bio: user.bio,
      avatar_url: avatar && `${MEDIA_PATH}/${avatar}/w480`,
      cover_url: cover && `${MEDIA_PATH}/${cover}/w960`,
      post_count: await countPosts(db, user.id),
    }
  })
}
