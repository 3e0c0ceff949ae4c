// Duties of the columns of posts, comments and messages.
import { sql } from 'drizzle-orm'
import { messages } from '#server/store/tables/messages.ts'
import { posts, postVersions } from '#server/store/tables/posts.ts'
import { comments } from '#server/store/tables/reactions.ts'
import { personal, without } from './duties.ts'

const own = without('all rows are those of the person')
const asDecision = without('decisions and their measures are in reactions.json')
const asHold = without('holds are in reactions.json')

/** A column that says nothing of the person once the text is gone. */
const stays = { disclosed: null, quoted: null, erased: 'stays' } as const

export const postColumns = personal(
  posts,
  'Until its author deletes it, or the account is deleted. A bought post then stays for its buyers for a year, and afterwards without its text, as the target of the purchase',
  {
    id: { ...stays, shown: 'others', exported: 'id', disclosed: 'id', anonymised: 'id' },
    authorId: { ...stays, shown: 'others', exported: own, anonymised: 'id' },
    idempotencyKey: {
      shown: 'none',
      exported: without('a random number of the device'),
      disclosed: null,
      quoted: null,
      erased: { to: null },
      anonymised: 'id',
    },
    type: { ...stays, shown: 'others', exported: 'type', anonymised: 'keep' },
    content: {
      shown: 'others',
      exported: 'content',
      disclosed: 'content',
      quoted: { text: (content) => content },
      erased: { to: '' },
      anonymised: 'text',
    },
    title: {
      shown: 'others',
      exported: 'title',
      disclosed: 'title',
      quoted: { text: (title) => title },
      erased: { to: '' },
      anonymised: 'text',
    },
    introduction: {
      shown: 'others',
      exported: 'introduction',
      disclosed: 'introduction',
      quoted: { text: (introduction) => introduction },
      erased: { to: '' },
      anonymised: 'text',
    },
    isAgeLimited: { ...stays, shown: 'others', exported: 'is_age_limited', anonymised: 'keep' },
    price: { ...stays, shown: 'others', exported: 'price', anonymised: 'keep' },
    commentsClosed: { ...stays, shown: 'others', exported: 'comments_closed', anonymised: 'keep' },
    createdAt: {
      ...stays,
      shown: 'owner',
      exported: 'created_at',
      disclosed: 'created_at',
      anonymised: 'keep',
    },
    releasedAt: {
      ...stays,
      shown: 'others',
      exported: 'released_at',
      disclosed: 'released_at',
      anonymised: 'keep',
    },
    editedAt: {
      ...stays,
      shown: 'others',
      exported: 'edited_at',
      disclosed: 'edited_at',
      anonymised: 'keep',
    },
    deletedAt: {
      shown: 'none',
      exported: 'deleted_at',
      disclosed: 'deleted_at',
      quoted: null,
      erased: { by: ({ at }) => at, text: 'the time of the deletion' },
      anonymised: 'keep',
    },
    withheldAt: { ...stays, shown: 'owner', exported: asDecision, anonymised: 'keep' },
    heldAt: { ...stays, shown: 'owner', exported: asHold, erased: { to: null }, anonymised: 'keep' },
  },
)

export const postVersionColumns = personal(
  postVersions,
  'As long as the post. Buyers read what they have bought, and staff in a dispute',
  {
    postId: { ...stays, shown: 'others', exported: 'post_id', erased: 'goes', anonymised: 'id' },
    authorId: { ...stays, shown: 'others', exported: own, erased: 'goes', anonymised: 'id' },
    replacedAt: { ...stays, shown: 'others', exported: 'replaced_at', erased: 'goes', anonymised: 'keep' },
    content: { ...stays, shown: 'others', exported: 'content', erased: 'goes', anonymised: 'text' },
    title: { ...stays, shown: 'others', exported: 'title', erased: 'goes', anonymised: 'text' },
    introduction: { ...stays, shown: 'others', exported: 'introduction', erased: 'goes', anonymised: 'text' },
  },
)

export const commentColumns = personal(
  comments,
  'Until its author or the author of the post deletes it, or either account is deleted. One with replies stays without its text',
  {
    id: { ...stays, shown: 'others', exported: 'id', disclosed: 'id', anonymised: 'id' },
    postId: {
      ...stays,
      shown: 'others',
      exported: 'post_id',
      disclosed: 'post_id',
      anonymised: 'id',
    },
    authorId: { ...stays, shown: 'others', exported: own, anonymised: 'id' },
    parentId: { ...stays, shown: 'others', exported: 'reply_to', anonymised: 'id' },
    answersId: { ...stays, shown: 'others', exported: 'answers', anonymised: 'id' },
    content: {
      shown: 'others',
      exported: 'content',
      disclosed: 'content',
      quoted: { text: (content) => content },
      erased: { to: '' },
      anonymised: 'text',
    },
    createdAt: {
      ...stays,
      shown: 'others',
      exported: 'created_at',
      disclosed: 'created_at',
      anonymised: 'keep',
    },
    deletedAt: {
      shown: 'others',
      exported: 'deleted_at',
      disclosed: 'deleted_at',
      quoted: null,
      erased: {
        by: ({ at }) => sql`coalesce(${comments.deletedAt}, ${at.toISOString()})`,
        text: 'the time of the deletion, unless it was deleted before',
      },
      anonymised: 'keep',
    },
    deletedBy: { ...stays, shown: 'none', exported: 'deleted_by', anonymised: 'keep' },
    withheldAt: { ...stays, shown: 'owner', exported: asDecision, anonymised: 'keep' },
    heldAt: { ...stays, shown: 'owner', exported: asHold, erased: { to: null }, anonymised: 'keep' },
  },
)

export const messageColumns = personal(
  messages,
  'Until both people are deleted, or for `MESSAGE_RETENTION_DAYS`, if set: it belongs to the conversation of both',
  {
    id: { ...stays, shown: 'others', exported: 'id', disclosed: 'id', anonymised: 'id' },
    conversationId: {
      ...stays,
      shown: 'others',
      exported: without('listed by conversation'),
      anonymised: 'id',
    },
    seq: { ...stays, shown: 'others', exported: without('listed in this order'), anonymised: 'keep' },
    change: {
      ...stays,
      shown: 'none',
      exported: without('a number by which devices find what has changed'),
      anonymised: 'keep',
    },
    senderId: {
      ...stays,
      shown: 'others',
      exported: without('`from` says whether it is their own'),
      anonymised: 'id',
    },
    content: { ...stays, shown: 'others', exported: 'content', disclosed: 'content', anonymised: 'text' },
    postId: {
      shown: 'others',
      /** The address of the post that it carries, below the app's origin. */
      exported: { as: 'post', form: (postId) => (postId === null ? null : `/post/${postId}`) },
      disclosed: null,
      quoted: null,
      erased: { to: null },
      anonymised: 'id',
    },
    replyToId: { ...stays, shown: 'others', exported: 'reply_to', anonymised: 'id' },
    sentAt: { ...stays, shown: 'others', exported: 'sent_at', disclosed: 'sent_at', anonymised: 'keep' },
    unsentAt: {
      shown: 'others',
      exported: 'unsent_at',
      disclosed: null,
      quoted: null,
      erased: {
        by: ({ at }) => sql`case when m.content = '' then ${at.toISOString()}::timestamptz end`,
        text: 'the time of the deletion where nothing is left of it',
      },
      anonymised: 'keep',
    },
  },
)
