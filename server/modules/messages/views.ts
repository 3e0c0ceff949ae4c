// Views of conversations and messages for one viewer.
import type { ReplyOf } from '#contract/endpoint.ts'
import type { ConversationView, ListedConversation } from '#contract/messages/conversations.ts'
import type { MessageView } from '#contract/messages/messages.ts'
import type { getPresence } from '#contract/messages/presence.ts'
import type { PostCard } from '#contract/posts/post-card.ts'
import type { PersonView } from '#contract/people/people.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { DEPARTED_NAME } from '#server/store/personal/departed.ts'
import { showsMedia } from '#server/rules/messages/media-access.ts'
import { mayWrite, type Writing } from '#server/rules/messages/may-write.ts'
import { presenceOf } from '#server/rules/messages/presence.ts'
import { type MediaAddress, signedAddresses } from '#server/services/media/addresses.ts'
import { mediaViews } from '#server/services/media/views.ts'
import { personView } from '#server/services/people/person-view.ts'
import { postCards } from '#server/services/posts/post-card.ts'
import { type Contact, contactOf, takesPart } from '#server/store/messages/contacts.ts'
import type { ListedRow } from '#server/store/messages/lists.ts'
import type { MessageFacts } from '#server/store/messages/message-facts.ts'
import { findPeople, type Person } from '#server/store/people/people.ts'
import { dateOf } from '#server/store/statement.ts'

type ViewPorts = Pick<Deps, 'db' | 'secrets' | 'clock'>

/** Views of messages for one viewer, with addresses of files that are signed for them. */
export async function messageViews(
  { db, secrets, clock }: ViewPorts,
  viewerId: string,
  rows: readonly MessageFacts[],
): Promise<MessageView[]> {
  const shown = rows.filter((it) => it.unsentAt === null && showsParts(it, viewerId))
  const ids = shown.flatMap((it) => it.postId ?? [])
  const cards = await postCards({ db, secrets }, viewerId, ids, clock())
  const address = signedAddresses(secrets, viewerId, clock())
  return rows.map((it) => ({
    id: it.id,
    seq: it.seq,
    change: it.change,
    sender_id: it.senderId,
    sent_at: dateOf(it.sentAt).toISOString(),
    body: it.unsentAt === null ? textBody(it, viewerId, address, cards) : { is: 'unsent' },
  }))
}

/** Whether the viewer sees media and post of a message that they see. */
const showsParts = (it: MessageFacts, viewerId: string): boolean =>
  showsMedia({ isSender: it.senderId === viewerId, state: it.state })

function textBody(
  it: MessageFacts,
  viewerId: string,
  address: MediaAddress,
  cards: ReadonlyMap<string, PostCard>,
): MessageView['body'] {
  const own = it.senderId === viewerId
  const media = (it.media ?? []).map((row) => ({ role: row.kind, alt: '', media: row }))
  const isShown = showsParts(it, viewerId)
  return {
    is: 'text',
    content: it.content,
    media: isShown ? mediaViews(media, { own, address, original: address }) : [],
    hidden_media: isShown ? 0 : media.length,
    post: cardIn(it, isShown, cards),
    reply_to: it.replyTo,
    reactions: [...(it.reactions ?? [])],
  }
}

function cardIn(
  { postId }: MessageFacts,
  isShown: boolean,
  cards: ReadonlyMap<string, PostCard>,
): PostCard | null {
  if (postId === null) return null
  return isShown ? (cards.get(postId) ?? { is: 'none' }) : { is: 'requested' }
}

/** People who are not present are shown without name and picture, for whatever reason. */
export function otherView(id: string, person: Person | undefined): PersonView {
  if (person?.state === 'present') return personView(person)
  return { id, name: DEPARTED_NAME, handle: null, avatar_url: null }
}

export async function listedViews(
  deps: Deps,
  viewerId: string,
  rows: readonly ListedRow[],
): Promise<ListedConversation[]> {
  const views = await messageViews(
    deps,
    viewerId,
    rows.flatMap((it) => it.last ?? []),
  )
  const lastOf = new Map(views.map((it) => [it.id, it]))
  const people = await findPeople(
    deps.db,
    rows.map((it) => it.otherId),
  )
  return rows.map((it) => ({
    conversation_id: it.id,
    person: otherView(it.otherId, people.get(it.otherId)),
    last_message: (it.last && lastOf.get(it.last.id)) ?? null,
    unread: it.unread,
    last_change: it.lastChange,
    last_deletion: it.lastDeletion,
    last_at: it.at.toISOString(),
    pinned: it.pinned,
    muted: it.muted,
    archived: it.archived,
  }))
}

/** What decides whether the first person of a contact may write to the other one. */
export const writingOf = (contact: Contact, isSelf: boolean): Writing => ({
  ...contact,
  isSelf,
  state: contact.conversation?.theirs.state ?? null,
  messages: contact.conversation?.lastSeq ?? 0,
})

/** Whether each of the two sees what the other one has received and read. */
export const showsMarks = ({ arePresent, bothSendMarks, conversation }: Contact): boolean =>
  arePresent &&
  bothSendMarks &&
  conversation !== null &&
  takesPart(conversation.mine) &&
  takesPart(conversation.theirs)

/**
 * The contact of a viewer to another person.
 * @throws ApiError `not_found` for a person who does not exist, or with a block in either direction
 */
export async function visibleContact(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  viewerId: string,
  otherId: string,
): Promise<Contact> {
  const contact = await contactOf(db, viewerId, otherId, clock())
  if (!contact || contact.isBlocked) throw new ApiError('not_found')
  return contact
}

export async function presenceView(
  { db, clock, realtime }: Pick<Deps, 'db' | 'clock' | 'realtime'>,
  viewerId: string,
  otherId: string,
): Promise<ReplyOf<typeof getPresence>> {
  const contact = await visibleContact({ db, clock }, viewerId, otherId)
  const { conversation } = contact
  const bothAccepted = conversation?.mine.state === 'accepted' && conversation.theirs.state === 'accepted'
  const isConnected = realtime.sockets?.isConnected(otherId)
  return { presence: presenceOf({ ...contact, bothAccepted, isConnected }, clock()) }
}

export async function conversationView(
  deps: Pick<Deps, 'db' | 'clock'>,
  viewerId: string,
  otherId: string,
): Promise<ConversationView> {
  const contact = await visibleContact(deps, viewerId, otherId)
  const people = await findPeople(deps.db, [otherId])
  const { conversation } = contact
  const own = conversation?.mine
  const marks = conversation && {
    delivered_seq: conversation.theirs.deliveredSeq,
    read_seq: conversation.theirs.readSeq,
  }
  return {
    conversation_id: conversation?.id ?? null,
    person: otherView(otherId, people.get(otherId)),
    may_write: mayWrite(writingOf(contact, viewerId === otherId)),
    is_request: own?.state === 'requested' || own?.state === 'declined',
    last_seq: conversation?.lastSeq ?? 0,
    last_change: conversation?.lastChange ?? 0,
    last_deletion: own?.deletions ?? 0,
    read_seq: own?.readSeq ?? 0,
    cleared_seq: own?.clearedSeq ?? 0,
    marks: showsMarks(contact) ? marks : null,
    unread: own?.unread ?? 0,
    pinned: own !== undefined && own.pinnedAt !== null,
    muted: own?.muted ?? false,
    archived: own?.archived ?? false,
  }
}
