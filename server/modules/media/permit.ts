// Permission to read a file: the access policy decides at every request; closed files also need a signature.
import * as v from 'valibot'
import { ageOn } from '#contract/rules.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { type MediaClass, proofOf, signatureFor } from '#server/services/media/addresses.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { accessTo, isOpen, viewerOf } from '#server/rules/post-access.ts'
import { entitlementsOf } from '#server/store/posts/entitlements.ts'
import type { Holder } from '#server/store/media/held-media.ts'
import type { PostRow } from '#server/store/posts/posts.ts'

const signed = v.object({
  exp: v.optional(v.pipe(v.string(), v.maxLength(12))),
  sig: v.optional(v.pipe(v.string(), v.maxLength(64))),
})

/**
 * `open`: everybody may have it. `signed`: this viewer may, and `changes` says whether it may look different at the next
 * look. `renewed`: this viewer may, by another address. The query opens the other files of the same video too.
 */
export type Permit =
  | { readonly is: 'open' }
  | { readonly is: 'signed'; readonly query: string; readonly changes: boolean }
  | { readonly is: 'renewed'; readonly query: string }

export interface Asked {
  readonly mediaId: string
  readonly what: MediaClass
  readonly query: unknown
}

/**
 * @throws ApiError `not_found` for a viewer who may not know of it, `forbidden` for one with less access
 */
export async function permit(
  deps: Deps,
  viewer: Viewer | null,
  holder: Holder,
  { mediaId, what, query }: Asked,
): Promise<Permit> {
  if (holder.is === 'person') {
    if (holder.state !== 'present') throw new ApiError('not_found')
    if (what === 'original') throw new ApiError('forbidden')
    return { is: 'open' }
  }
  const { post, planIds, showsShareCard } = holder
  const [released, deleted] = [post.releasedAt !== null, post.deletedAt !== null]
  const guarded = { ...post, released, deleted, authorState: holder.state, planIds, showsShareCard }
  const own = viewer?.id === post.authorId
  const access = accessTo(await knownViewer(deps, viewer, post, own), guarded)
  if (access.is === 'hidden') throw new ApiError('not_found')
  if (what === 'original' && !own) throw new ApiError('forbidden')
  if (what !== 'original' && isOpen(guarded)) return { is: 'open' }
  if (!viewer) throw new ApiError('forbidden')
  if (what !== 'blurred' && access.is !== 'full') throw new ApiError('forbidden')
  const given = v.safeParse(signed, query)
  const signing = { mediaId, what, viewerId: viewer.id }
  const now = deps.clock()
  const proof = given.success ? proofOf(deps.secrets, signing, given.output, now) : 'none'
  if (proof === 'none') throw new ApiError('forbidden')
  const fresh = signatureFor(deps.secrets, signing, now)
  if (proof === 'over') return { is: 'renewed', query: fresh }
  return { is: 'signed', query: fresh, changes: !released || what === 'original' }
}

/** The author does not need the conditions that open posts to others. */
async function knownViewer({ db, clock }: Deps, viewer: Viewer | null, post: PostRow, own: boolean) {
  const has = await entitlementsOf(db, own ? undefined : viewer?.id, [post], clock())
  return viewerOf(viewer && { id: viewer.id, age: ageOn(viewer.birthDate, clock()) }, has, post)
}
