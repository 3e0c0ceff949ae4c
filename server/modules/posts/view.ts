// How a post looks to its viewer: the policy decides, this shapes the answer.
import * as v from 'valibot'
import { type MediaFailure, mediaFailure, type MediaView } from '#contract/media.ts'
import { MEDIA_PATH } from '#contract/paths.ts'
import type { PersonView } from '#contract/people.ts'
import type { PostAccess, PostView } from '#contract/posts.ts'
import { ageOn } from '#contract/rules.ts'
import type { Viewer } from '#server/http/session.ts'
import {
  accessTo,
  type Entitlements,
  type PostAccess as Decision,
  viewerOf,
} from '#server/rules/post-access.ts'
import type { Db } from '#server/store/database.ts'
import { entitlementsOf } from '#server/store/entitlements.ts'
import type { MediaRow } from '#server/store/media.ts'
import { findPeople, type Person } from '#server/store/people.ts'
import type { Plan } from '#server/store/plans.ts'
import { findPlans, mediaOfPosts, type ShownMedia } from '#server/store/post-pieces.ts'
import { plansOpening, type PostRow } from '#server/store/posts.ts'

/** Everything several posts need, read together. */
interface Context {
  readonly people: Map<string, Person>
  readonly media: Map<string, ShownMedia[]>
  readonly opening: Map<string, string[]>
  readonly plans: Map<string, Plan>
  readonly has: Entitlements
}

async function read(db: Db, viewer: Viewer | null, rows: readonly PostRow[], now: number): Promise<Context> {
  const ids = rows.map((row) => row.id)
  const opening = await plansOpening(db, ids)
  const plans = await findPlans(db, [...opening.values()].flat())
  return {
    people: await findPeople(
      db,
      rows.map((row) => row.authorId),
    ),
    media: await mediaOfPosts(db, ids),
    opening,
    plans: new Map(plans.map((plan) => [plan.id, plan])),
    has: await entitlementsOf(db, viewer?.id, rows, now),
  }
}

/** Views of those posts the viewer may know of, in the same order. */
export async function viewPosts(
  db: Db,
  viewer: Viewer | null,
  rows: readonly PostRow[],
  now: number,
): Promise<PostView[]> {
  const context = await read(db, viewer, rows, now)
  const member = viewer && { id: viewer.id, age: ageOn(viewer.birthDate, now) }
  return rows.flatMap((row) => {
    const planIds = context.opening.get(row.id) ?? []
    const author = context.people.get(row.authorId)
    const guarded = {
      ...row,
      released: row.releasedAt !== null,
      deleted: row.deletedAt !== null,
      authorState: author?.state ?? 'gone',
      planIds,
    }
    const decision = accessTo(viewerOf(member, context.has, row), guarded)
    const access = author && shape(decision, row, context, viewer?.id === row.authorId)
    return access ? [viewOf(row, author, access)] : []
  })
}

function viewOf(row: PostRow, author: Person, access: PostAccess): PostView {
  return {
    id: row.id,
    author: personView(author),
    type: row.type,
    is_age_limited: row.isAgeLimited,
    created_at: row.createdAt.toISOString(),
    released_at: row.releasedAt?.toISOString() ?? null,
    access,
  }
}

function personView({ id, name, avatarId }: Person): PersonView {
  return { id, name, avatar_url: avatarId && `${MEDIA_PATH}/${avatarId}/w480` }
}

function shape(decision: Decision, row: PostRow, context: Context, own: boolean): PostAccess | undefined {
  const shown = context.media.get(row.id) ?? []
  switch (decision.is) {
    case 'full':
      return { is: 'full', content: row.content, media: mediaViews(shown, own) }
    case 'preview': {
      const opens = decision.wants === 'plan' ? (context.opening.get(row.id) ?? []) : []
      const blurred = blurredOf(shown)
      return {
        is: 'preview',
        wants: decision.wants,
        blurred_url: blurred ? `${MEDIA_PATH}/${blurred}/blurred` : null,
        image_count: shown.filter((it) => it.role === 'image').length,
        has_video: shown.some((it) => it.role === 'video'),
        price: decision.wants === 'purchase' ? row.price : null,
        plans: [...context.plans.values()].filter((plan) => opens.includes(plan.id)),
      }
    }
    case 'hidden':
      return undefined
    default:
      return decision satisfies never
  }
}

/** The author's own placeholder, else the picture a full viewer would see first. */
function blurredOf(shown: readonly ShownMedia[]): string | undefined {
  const order = ['blurred', 'image', 'thumbnail', 'video']
  return shown
    .filter((it) => it.media.made.blurred)
    .toSorted((a, b) => order.indexOf(a.role) - order.indexOf(b.role))[0]?.media.id
}

function mediaViews(shown: readonly ShownMedia[], own: boolean): MediaView[] {
  return shown.flatMap(({ role, alt, media }) => {
    if (role === 'image') return [imageView(media, alt, own)]
    return role === 'video' ? [videoView(media, own)] : []
  })
}

const stateOf = ({ state }: MediaRow) => (state === 'awaited' ? 'processing' : state)

/** Nobody but its author is told why a file could not be used. */
function failureOf({ state, failure }: MediaRow, own: boolean): { failure?: MediaFailure } {
  if (!own || state !== 'failed') return {}
  return { failure: v.is(mediaFailure, failure) ? failure : 'unreadable' }
}

const placeholderOf = ({ made }: MediaRow) => (made.hash === undefined ? {} : { placeholder: made.hash })

const originalOf = (id: string, own: boolean) => (own ? { original_url: `${MEDIA_PATH}/${id}/original` } : {})

function imageView(row: MediaRow, alt: string, own: boolean): MediaView {
  const { id, width, height } = row
  const sources = row.made.widths.map((it) => ({
    src: `${MEDIA_PATH}/${id}/w${it}`,
    width: Math.min(it, width ?? it),
  }))
  return {
    kind: 'image',
    id,
    state: stateOf(row),
    ...failureOf(row, own),
    alt,
    width,
    height,
    sources,
    ...placeholderOf(row),
    ...originalOf(id, own),
  }
}

function videoView(row: MediaRow, own: boolean): MediaView {
  const { id, state, width, height, duration } = row
  const src = state === 'ready' ? `${MEDIA_PATH}/${id}/play` : null
  const poster = row.made.poster ? `${MEDIA_PATH}/${id}/poster` : null
  return {
    kind: 'video',
    id,
    state: stateOf(row),
    ...failureOf(row, own),
    alt: '動画',
    width,
    height,
    duration,
    src,
    ...(src !== null && row.made.hls === true && { hls: `${MEDIA_PATH}/${id}/hls/main.m3u8` }),
    poster,
    ...placeholderOf(row),
    ...originalOf(id, own),
  }
}
