// Requests of people shown in sexual pictures or films: hidden at once, then decided.
import { opinionMs } from '#contract/inquiries/states.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Budget } from '#server/http/limits.ts'
import { postAddress } from '#server/rules/moderation/content-address.ts'
import { approveHold, holdPost } from '#server/services/holds/hold.ts'
import type { InquiryRecord } from '#server/store/inquiries/inquiries.ts'
import { hasOpenRequest, wasRefused } from '#server/store/inquiries/intimate.ts'
import { findOpenHold, type HeldThing, wasApproved } from '#server/store/moderation/holds.ts'
import { findUser } from '#server/store/people/people.ts'
import { factsOfPosts } from '#server/store/posts/post-facts.ts'
import { pageOf, record, textsOf } from './inquiry-texts.ts'

/**
 * The post of a request, by its address or its id.
 * @param host by which the sender reached this site
 * @throws ApiError `invalid` with a code at `url`
 */
export async function requestedPost(
  { db, settings, clock }: Deps,
  url: string,
  host: string,
): Promise<{ targetKind: 'post'; targetId: string; ownerId: string }> {
  const refuse = (code: 'unknown_content' | 'no_media' | 'already_requested') =>
    new ApiError('invalid', { url: code })
  const id = postAddress(url, [new URL(settings.publicUrl).host, host])
  const [post] = id === undefined ? [] : await factsOfPosts(db, undefined, [id], clock())
  if (!post || post.deletedAt !== null || post.author.state === 'gone') throw refuse('unknown_content')
  // Before the state of the post: what waits for its decision is hidden.
  if (await hasOpenRequest(db, post.id)) throw refuse('already_requested')
  if (post.releasedAt === null) throw refuse('unknown_content')
  if (post.media.length === 0) throw refuse('no_media')
  return { targetKind: 'post', targetId: post.id, ownerId: post.author.id }
}

const text =
  '写っている人が撮影と公開に同意したことを示すもの（契約書、同意書、年齢と本人の確認の記録など）があるときは、その内容を回答に書いてください。'

interface Hidden {
  readonly isHidden: boolean
  /** Until when its author may answer; null if not asked. */
  readonly opinionDueAt: Date | null
}

const shown: Hidden = { isHidden: false, opinionDueAt: null }

/**
 * Hides the post of a confirmed request, and asks its author. Nothing of it happens when staff have refused a request about the post before, and when
 * the address or the network has hidden as many as a day allows: staff read those too.
 * @throws ApiError `conflict` while another request about the post waits; the case of the post has to be locked
 */
export async function hideRequested(
  deps: Deps,
  unit: Unit,
  inquiry: InquiryRecord,
  ip: string,
): Promise<Hidden> {
  const { id, kind, targetId: postId, ownerId } = inquiry
  if (kind !== 'intimate' || postId === null || ownerId === null) return shown
  if (await hasOpenRequest(unit.tx, postId)) throw new ApiError('conflict')
  const thing: HeldThing = { targetKind: 'post', targetId: postId }
  // The hold first: it has an index, and without one that ended nothing was refused.
  const isRefused = (await wasApproved(unit.tx, thing, 'intimate')) && (await wasRefused(unit.tx, postId))
  if (isRefused || !(await mayHide(deps, inquiry, ip))) return shown
  const now = deps.clock()
  const found = { reason: 'intimate', reviewer: 'staff', word: undefined } as const
  if (!(await holdPost(unit, { id: postId, authorId: ownerId }, found, { isNew: false, now }))) return shown
  await record(deps, unit, id, { act: 'hidden' })
  const due = now + opinionMs(kind)
  const owner = await findUser(unit.tx, ownerId)
  if (!owner || owner.deletedAt !== null) return { isHidden: true, opinionDueAt: null }
  await record(deps, unit, id, { act: 'asked_author', text })
  const { url: content, right } = textsOf(deps, inquiry)
  await unit.email(owner, {
    is: 'inquiry_opinion',
    kind,
    number: inquiry.number,
    url: pageOf(deps, id, 'author'),
    hides: true,
    name: '',
    content,
    right,
    claim: '',
    text,
    due,
  })
  return { isHidden: true, opinionDueAt: new Date(due) }
}

/** Counts one hidden post of the address, and of the network. */
async function mayHide(deps: Deps, inquiry: InquiryRecord, ip: string): Promise<boolean> {
  const { counts, secrets, settings } = deps
  const { intimateHolds: ofAddress, intimateHoldsOfNetwork: ofNetwork } = settings.limits
  const add = async (key: string, { max, timeWindow }: Budget): Promise<boolean> =>
    (await counts.add(`intimate ${key}`, timeWindow)).current <= max
  const address = secrets.mac('address', textsOf(deps, inquiry).email)
  return (await add(`address ${address}`, ofAddress)) && (await add(`network ${ip}`, ofNetwork))
}

/** Shows the post again that a request has hidden, once it is refused or withdrawn. Other reasons keep it hidden. */
export async function restoreRequested(unit: Unit, inquiry: InquiryRecord, now: number): Promise<void> {
  if (inquiry.kind !== 'intimate' || inquiry.targetId === null) return
  const thing: HeldThing = { targetKind: 'post', targetId: inquiry.targetId }
  if ((await findOpenHold(unit.tx, thing))?.reason === 'intimate') await approveHold(unit, thing, now)
}
