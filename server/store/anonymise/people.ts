// Rules of accounts, settings, relations, notifications and notices.
import { anonymisedRows } from '#server/store/personal/duties.ts'
import {
  accountColumns,
  channelColumns,
  detailColumns,
  settingColumns,
} from '#server/store/personal/people.ts'
import { sql } from 'drizzle-orm'
import * as accounts from '#server/store/tables/accounts.ts'
import { knownDevices, rememberedDevices } from '#server/store/tables/devices.ts'
import { identityChecks, identityFiles, identityPrompts } from '#server/store/tables/identity.ts'
import * as notified from '#server/store/tables/notifications.ts'
import { follows, mutes, personCounts, sessions } from '#server/store/tables/people.ts'
import * as settings from '#server/store/tables/settings.ts'
import { emptied, made, rows, type TableRules } from './rules.ts'

const accountRules: readonly TableRules[] = [
  anonymisedRows(accountColumns),
  rows(accounts.deletions, {
    userId: 'id',
    reason: 'code',
    note: 'text',
    requestedAt: 'keep',
    dueAt: 'keep',
    undoHash: 'token',
  }),
  // Whatever lets a person sign in, names a device or was sent by email.
  ...[
    sessions,
    knownDevices,
    rememberedDevices,
    accounts.registrations,
    accounts.invitations,
    accounts.mailCodes,
    accounts.resetRefusals,
    accounts.emails,
    accounts.passkeys,
    accounts.passkeyChallenges,
    accounts.secondFactors,
    accounts.recoveryCodes,
    accounts.accountRecoveries,
    accounts.dataExports,
    notified.pushSubscriptions,
  ].map(emptied),
]

const identityRules: readonly TableRules[] = [
  rows(identityChecks, {
    id: 'id',
    userId: 'id',
    idempotencyKey: 'id',
    state: 'keep',
    documentKind: 'code',
    prompts: made(sql`'[]'::jsonb`),
    submittedAt: 'keep',
    reviewStartedAt: 'keep',
    decidedAt: 'keep',
    reviewerId: 'id',
    reason: 'code',
    note: 'text',
  }),
  // Keys of documents that the copy does not have.
  emptied(identityFiles),
  emptied(identityPrompts),
]

const settingRules: readonly TableRules[] = [
  // Legal names.
  anonymisedRows(detailColumns),
  anonymisedRows(settingColumns),
  anonymisedRows(channelColumns),
  rows(settings.blocks, { blockerId: 'id', blockedId: 'id', createdAt: 'keep' }),
  // A word without its letters holds nothing.
  emptied(settings.blockedWords),
  // Settings of the live servers, with the text of the bar.
  emptied(settings.runtimeSettings),
  emptied(settings.runtimeSettingChanges),
  emptied(settings.serverReports),
  // A copy has keys of its own.
  emptied(settings.serverKeys),
  rows(follows, { followerId: 'id', followedId: 'id', createdAt: 'keep' }),
  rows(mutes, { muterId: 'id', mutedId: 'id', createdAt: 'keep' }),
  rows(personCounts, { userId: 'id', followers: 'keep', following: 'keep', version: 'keep' }),
]

/** One paragraph of the neutral body. */
const paragraph = sql`case when body = '' then '[]'::jsonb else jsonb_build_array(jsonb_build_object(
  'is', 'paragraph', 'pieces', jsonb_build_array(jsonb_build_object('text', pg_temp.neutral(body))))) end`

const noticeRules: readonly TableRules[] = [
  rows(notified.notifications, {
    id: 'id',
    userId: 'id',
    settingCd: 'code',
    groupKey: 'group_key',
    idolId: 'id',
    targetId: 'id',
    targetSub1Id: 'id',
    targetSub2Id: 'id',
    toUserId: 'id',
    inApp: 'keep',
    createdAt: 'keep',
    updatedAt: 'keep',
    readAt: 'keep',
    toldAt: 'keep',
  }),
  rows(notified.notificationActors, { notificationId: 'id', actorId: 'id', at: 'keep' }),
  rows(notified.fanOuts, {
    subjectId: 'id',
    kind: 'keep',
    stretch: 'keep',
    // The order of ids is another one.
    after: 'null',
    startedAt: 'keep',
    doneAt: 'keep',
  }),
  rows(notified.notices, {
    id: 'id',
    title: 'text',
    body: 'text',
    content: made(paragraph),
    state: 'keep',
    audience: 'keep',
    audienceCreatorId: 'id',
    audiencePlanId: 'id',
    audienceBuild: 'number',
    audienceWhich: 'keep',
    pushes: 'keep',
    mails: 'keep',
    isAdvertising: 'keep',
    isUrgent: 'keep',
    barUntil: 'keep',
    pictureId: 'id',
    revision: 'keep',
    createdAt: 'keep',
    publishedAt: 'keep',
    editedAt: 'keep',
    total: 'keep',
    reached: 'keep',
    delivered: 'keep',
  }),
  rows(notified.noticeMarks, { noticeId: 'id', userId: 'id', readOn: 'keep', closedAt: 'keep' }),
  rows(notified.noticeReadDays, { noticeId: 'id', day: 'keep', readers: 'keep' }),
  rows(notified.advertisingConsents, { userId: 'id', givenAt: 'keep', withdrawnAt: 'keep' }),
]

export const peopleRules: readonly TableRules[] = [
  ...accountRules,
  ...identityRules,
  ...settingRules,
  ...noticeRules,
]
