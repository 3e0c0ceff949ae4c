// Decides at every request whether a viewer may read a media file.
// The access policy applies to all files. Files that are not open also need a signature.
import * as v from 'valibot'
import { mayUse } from '#contract/administration/areas.ts'
import type { NoticeState } from '#contract/notices/notice-states.ts'
import { ageOn } from '#contract/rules.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { type MediaClass, proofOf, signatureFor } from '#server/services/media/addresses.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { isShown } from '#server/rules/notices/state.ts'
import { mayReadFiles } from '#server/rules/messages/media-access.ts'
import { accessTo, isOpen, viewerOf } from '#server/rules/post-access.ts'
import type { Holder } from '#server/store/media/held-media.ts'
import { hasCase } from '#server/store/moderation/cases.ts'
import { mediaReadingOf } from '#server/store/messages/message-media.ts'

const signatureQuery = v.object({
  exp: v.optional(v.pipe(v.string(), v.maxLength(12))),
  sig: v.optional(v.pipe(v.string(), v.maxLength(64))),
})

/**
 * How a viewer may read a file. `open`: like every client. `signed`: by the signature of this viewer; `changes` means
 * that caches must revalidate the file. `renewed`: by a new address, since the signature has expired. `query` also
 * gives access to the other files of the same video.
 */
export type Permit =
  | { readonly is: 'open' }
  | { readonly is: 'signed'; readonly query: string; readonly changes: boolean }
  | { readonly is: 'renewed'; readonly query: string }

export interface FileRequest {
  readonly mediaId: string
  readonly what: MediaClass
  readonly query: unknown
}

/**
 * Finds out how a viewer may read a file of a media.
 * @throws ApiError `not_found` if the media is hidden from the viewer, `forbidden` without the access or the signature
 */
export async function permitFor(
  deps: Deps,
  viewer: Viewer | null,
  holder: Holder,
  request: FileRequest,
): Promise<Permit> {
  switch (holder.is) {
    case 'person':
      if (holder.state !== 'present') throw new ApiError('not_found')
      if (request.what === 'original') throw new ApiError('forbidden')
      return { is: 'open' }
    case 'message':
      return permitInMessage(deps, viewer, request)
    case 'notice':
      return permitInNotice(deps, viewer, holder.state, request)
    case 'post':
      return permitInPost(deps, viewer, holder, request)
    default:
      return holder satisfies never
  }
}

async function permitInPost(
  deps: Deps,
  viewer: Viewer | null,
  { post, entitlements }: Extract<Holder, { is: 'post' }>,
  request: FileRequest,
): Promise<Permit> {
  const { what } = request
  const isAuthor = viewer?.id === post.authorId
  const member = viewer && { id: viewer.id, age: ageOn(viewer.birthDate, deps.clock()) }
  const access = accessTo(viewerOf(member, entitlements), post)
  const isWhole = access.is === 'full' || access.is === 'kept'
  const isReviewed = !isWhole && (await mayReview(deps, viewer, post.id, what))
  if (isReviewed && viewer) return signedPermit(deps, viewer, request, isReviewed)
  if (access.is === 'hidden') throw new ApiError('not_found')
  if (what === 'original' && !isAuthor) throw new ApiError('forbidden')
  if (what !== 'original' && isOpen(post)) return { is: 'open' }
  if (!viewer) throw new ApiError('forbidden')
  if (what !== 'blurred' && !isWhole) throw new ApiError('forbidden')
  return signedPermit(deps, viewer, request, !post.released || what === 'original')
}

/**
 * Whether staff may read files of a reported post that they do not see otherwise. The signature in the address comes from the
 * case, whose reading is audited. Originals are for their authors alone.
 */
async function mayReview(
  { db }: Deps,
  viewer: Viewer | null,
  postId: string,
  what: MediaClass,
): Promise<boolean> {
  if (!viewer || !mayUse(viewer.role, 'reports') || what === 'original') return false
  return hasCase(db, 'post', postId)
}

/** Files of a message are never open. Caches always revalidate them, since a message can be unsent at any time. */
async function permitInMessage(deps: Deps, viewer: Viewer | null, request: FileRequest): Promise<Permit> {
  const reading = viewer ? await mediaReadingOf(deps.db, request.mediaId, viewer.id) : undefined
  if (!viewer || !mayReadFiles(reading)) throw new ApiError('not_found')
  if (request.what === 'original' && !reading?.isSender) throw new ApiError('forbidden')
  return signedPermit(deps, viewer, request, true)
}

/** The picture of a notice is open while readers see the notice, and for staff alone otherwise. */
function permitInNotice(deps: Deps, viewer: Viewer | null, state: NoticeState, request: FileRequest): Permit {
  if (request.what === 'original') throw new ApiError('forbidden')
  if (isShown(state)) return { is: 'open' }
  if (!viewer || !mayUse(viewer.role, 'notices')) throw new ApiError('not_found')
  const changes = true
  return signedPermit(deps, viewer, request, changes)
}

/** @param changes whether caches must revalidate the file */
function signedPermit(
  { secrets, clock }: Deps,
  viewer: Viewer,
  { mediaId, what, query }: FileRequest,
  changes: boolean,
): Permit {
  const parsed = v.safeParse(signatureQuery, query)
  const signing = { mediaId, what, viewerId: viewer.id }
  const now = clock()
  const proof = parsed.success ? proofOf(secrets, signing, parsed.output, now) : 'none'
  if (proof === 'none') throw new ApiError('forbidden')
  const fresh = signatureFor(secrets, signing, now)
  if (proof === 'expired') return { is: 'renewed', query: fresh }
  return { is: 'signed', query: fresh, changes }
}
