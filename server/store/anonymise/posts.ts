// Rules of posts, media, reactions, plans, analytics and the search index.
import { anonymisedRows } from '#server/store/personal/duties.ts'
import { commentColumns, postColumns, postVersionColumns } from '#server/store/personal/content.ts'
import { sql } from 'drizzle-orm'
import { complimentaryGrants } from '#server/store/tables/adjustments.ts'
import { postDays, postReadings } from '#server/store/tables/analytics.ts'
import {
  media,
  mediaHashes,
  objectRemovals,
  removedMedia,
  uploadParts,
  uploads,
  userPictures,
} from '#server/store/tables/media.ts'
import { planCountChanges, planMembers, planPictures, plans } from '#server/store/tables/plans.ts'
import {
  filmDeclarations,
  postMedia,
  postPlans,
  postPurchases,
  withdrawnKeys,
} from '#server/store/tables/posts.ts'
import * as reactions from '#server/store/tables/reactions.ts'
import { messageSearch, personSearch, postSearch, searchedWords } from '#server/store/tables/search.ts'
import { emptied, made, rows, type TableRules } from './rules.ts'

/** The purpose and the type of an upload; the name of the file is removed. */
const metadata = sql`jsonb_strip_nulls(jsonb_build_object('purpose', pg_temp.code(metadata ->> 'purpose'),
  'filetype', pg_temp.code(metadata ->> 'filetype')))`

/** Which files were made. The key `hash` is a small picture of the picture. */
const madeFiles = sql`coalesce((select jsonb_object_agg(key, value) from jsonb_each(made)
  where key in ('widths', 'poster', 'blurred', 'still', 'parts', 'hls', 'steps', 'maker')), '{}')`

const mediaRules: readonly TableRules[] = [
  rows(uploads, {
    id: 'id',
    ownerId: 'id',
    length: 'keep',
    metadata: made(metadata),
    digest: 'token',
    finishedAt: 'keep',
    received: 'keep',
    chunks: 'keep',
    wantedDigest: 'token',
    createdAt: 'keep',
    touchedAt: 'keep',
    expiredAt: 'keep',
    stored: 'keep',
    storeId: 'null',
    tailSize: 'keep',
    numbered: 'keep',
  }),
  // They name bytes that a copy does not have.
  emptied(uploadParts),
  rows(media, {
    id: 'id',
    kind: 'keep',
    mime: 'code',
    state: 'keep',
    attempts: 'keep',
    begunAt: 'keep',
    ladderSince: 'keep',
    ladderBegunAt: 'keep',
    width: 'keep',
    height: 'keep',
    duration: 'keep',
    animated: 'keep',
    made: made(madeFiles),
    failure: 'code',
    createdAt: 'keep',
  }),
  rows(userPictures, { userId: 'id', role: 'keep', mediaId: 'id' }),
  // A perceptual hash finds the picture again.
  rows(mediaHashes, { mediaId: 'id', picture: 'null' }),
  emptied(removedMedia),
  // A copy has no objects.
  emptied(objectRemovals),
]

const postRules: readonly TableRules[] = [
  anonymisedRows(postColumns),
  anonymisedRows(postVersionColumns),
  emptied(withdrawnKeys),
  rows(postMedia, { postId: 'id', mediaId: 'id', role: 'keep', position: 'keep', alt: 'text' }),
  rows(postPlans, { postId: 'id', planId: 'id' }),
  rows(filmDeclarations, { postId: 'id', version: 'keep', declaredAt: 'keep' }),
  rows(postPurchases, { postId: 'id', userId: 'id', price: 'keep', boughtAt: 'keep', revokedAt: 'keep' }),
  rows(postReadings, { postId: 'id', day: 'keep', kind: 'keep', userId: 'id' }),
  rows(postDays, { postId: 'id', day: 'keep', views: 'keep', gates: 'keep', watched: 'keep' }),
]

const reactionRules: readonly TableRules[] = [
  rows(reactions.postLikes, { postId: 'id', userId: 'id', createdAt: 'keep' }),
  anonymisedRows(commentColumns),
  rows(reactions.commentLikes, { commentId: 'id', userId: 'id', createdAt: 'keep' }),
  rows(reactions.postCounts, { postId: 'id', likes: 'keep', comments: 'keep', version: 'keep' }),
  rows(reactions.commentCounts, { commentId: 'id', likes: 'keep', replies: 'keep', version: 'keep' }),
  // Sequence numbers of devices that do not use the copy.
  emptied(reactions.sequenceNumbers),
]

const planRules: readonly TableRules[] = [
  rows(plans, {
    id: 'id',
    creatorId: 'id',
    name: 'text',
    price: 'keep',
    description: 'text',
    thanks: 'text',
    position: 'keep',
    acceptsMembers: 'keep',
    memberLimit: 'keep',
    opensCheaper: 'keep',
    backNumbers: 'keep',
    endsAt: 'keep',
    settlesAt: 'keep',
    createdAt: 'keep',
  }),
  rows(planPictures, { planId: 'id', role: 'keep', mediaId: 'id' }),
  rows(planMembers, {
    planId: 'id',
    userId: 'id',
    joinedAt: 'keep',
    endsAt: 'keep',
    opensFrom: 'keep',
    membershipId: 'id',
    complimentaryId: 'id',
    isIncluded: 'keep',
    copiesUntil: 'keep',
  }),
  rows(complimentaryGrants, {
    planId: 'id',
    userId: 'id',
    complimentaryId: 'id',
    joinedAt: 'keep',
    endsAt: 'keep',
    opensFrom: 'keep',
    isIncluded: 'keep',
  }),
  rows(planCountChanges, { id: 'keep', planId: 'id', members: 'keep', monthlyYen: 'keep' }),
]

const searchRules: readonly TableRules[] = [
  rows(postSearch, {
    postId: 'id',
    releasedAt: 'keep',
    grams: 'search',
    folded: 'search',
    openGrams: 'null',
    openFolded: 'null',
    folding: 'keep',
  }),
  rows(personSearch, { userId: 'id', name: 'search', grams: 'search', folded: 'search', folding: 'keep' }),
  rows(messageSearch, {
    userId: 'id',
    messageId: 'id',
    conversationId: 'id',
    seq: 'keep',
    sentAt: 'keep',
    grams: 'search',
    folded: 'search',
    folding: 'keep',
  }),
  emptied(searchedWords),
]

export const postsRules: readonly TableRules[] = [
  ...mediaRules,
  ...postRules,
  ...reactionRules,
  ...planRules,
  ...searchRules,
]
