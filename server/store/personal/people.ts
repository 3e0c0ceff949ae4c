// Duties of the columns of accounts and of their settings.
import { DEPARTED_NAME, departedEmail } from '#server/store/personal/departed.ts'
import { made, numbered } from '#server/store/anonymise/rules.ts'
import { users } from '#server/store/tables/people.ts'
import { notificationSettings, userDetails, userSettings } from '#server/store/tables/settings.ts'
import { sql } from 'drizzle-orm'
import { personal, without } from './duties.ts'

const asDecision = without('decisions and their measures are in reactions.json')

export const accountColumns = personal(
  users,
  'The row stays, as the target of foreign keys of rows of other people; the rest until the account is deleted',
  {
    id: {
      shown: 'others',
      exported: 'id',
      disclosed: 'id',
      quoted: null,
      erased: 'stays',
      anonymised: 'id',
    },
    email: {
      shown: 'owner',
      exported: 'email',
      disclosed: 'email',
      quoted: null,
      erased: { by: ({ id }) => departedEmail(id), text: 'an address that receives no mail' },
      anonymised: numbered('user-', '@example.invalid'),
    },
    passwordHash: {
      shown: 'none',
      exported: without('a secret'),
      disclosed: null,
      quoted: null,
      erased: { to: '' },
      anonymised: 'password',
    },
    name: {
      shown: 'others',
      exported: 'name',
      disclosed: 'name',
      quoted: { text: (name) => name },
      erased: { to: DEPARTED_NAME },
      anonymised: numbered('ユーザー', '', DEPARTED_NAME),
    },
    handle: {
      shown: 'others',
      exported: 'handle',
      disclosed: 'handle',
      quoted: { text: (handle) => handle ?? '', line: (text) => `@${text}` },
      erased: { to: null },
      anonymised: numbered('user_'),
    },
    bio: {
      shown: 'others',
      exported: 'bio',
      disclosed: 'bio',
      quoted: { text: (bio) => bio },
      erased: { to: '' },
      anonymised: 'text',
    },
    links: {
      shown: 'others',
      exported: 'links',
      disclosed: 'links',
      quoted: { text: (links) => links.join('\n') },
      erased: { to: [] },
      anonymised: made(sql`'[]'::jsonb`),
    },
    birthDate: {
      shown: 'owner',
      exported: 'birth_date',
      disclosed: 'birth_date',
      quoted: null,
      erased: { to: '1900-01-01' },
      anonymised: 'birth_date',
    },
    role: {
      shown: 'owner',
      exported: 'role',
      disclosed: null,
      quoted: null,
      erased: { to: 'member' },
      anonymised: 'keep',
    },
    createdAt: {
      shown: 'owner',
      exported: 'registered_at',
      disclosed: 'registered_at',
      quoted: null,
      erased: 'stays',
      anonymised: 'keep',
    },
    identifiedAt: {
      shown: 'owner',
      exported: without('identity.json has it'),
      disclosed: 'identified_at',
      quoted: null,
      erased: { to: null },
      anonymised: 'keep',
    },
    suspendedAt: {
      shown: 'owner',
      exported: asDecision,
      disclosed: null,
      quoted: null,
      erased: { to: null },
      anonymised: 'keep',
    },
    limitedAt: {
      shown: 'owner',
      exported: asDecision,
      disclosed: null,
      quoted: null,
      erased: { to: null },
      anonymised: 'keep',
    },
    deletedAt: {
      shown: 'others',
      exported: without('a deleted account has no copy'),
      disclosed: null,
      quoted: null,
      erased: 'stays',
      anonymised: 'keep',
    },
  },
)

/** A column whose row is removed with the account. */
const gone = { disclosed: null, quoted: null, erased: 'goes' } as const
/** The id of the person, which names the row. */
const ownerId = { shown: 'none', exported: without('profile.json has it'), ...gone } as const
const changedAt = {
  shown: 'none',
  exported: without('the time of the last change of any of them'),
  ...gone,
} as const

export const detailColumns = personal(userDetails, 'Until the account is deleted', {
  userId: { ...ownerId, anonymised: 'removed' },
  legalName: {
    ...gone,
    shown: 'owner',
    exported: 'legal_name',
    disclosed: 'legal_name',
    anonymised: 'removed',
  },
  legalNameKana: {
    ...gone,
    shown: 'owner',
    exported: 'legal_name_kana',
    disclosed: 'legal_name_kana',
    anonymised: 'removed',
  },
  updatedAt: { ...changedAt, anonymised: 'removed' },
})

export const settingColumns = personal(userSettings, 'Until the account is deleted', {
  userId: { ...ownerId, anonymised: 'id' },
  messageFrom: { ...gone, shown: 'owner', exported: 'message_from', anonymised: 'keep' },
  sendsReadMarks: { ...gone, shown: 'owner', exported: 'sends_read_marks', anonymised: 'keep' },
  showsMessageText: { ...gone, shown: 'owner', exported: 'shows_message_text', anonymised: 'keep' },
  showsAgeLimited: { ...gone, shown: 'owner', exported: 'shows_age_limited', anonymised: 'keep' },
  showsShareCard: { ...gone, shown: 'owner', exported: 'shows_share_card', anonymised: 'keep' },
  showsPresence: { ...gone, shown: 'owner', exported: 'shows_presence', anonymised: 'keep' },
  seenAt: { ...gone, shown: 'others', exported: 'last_seen_at', anonymised: 'null' },
  updatedAt: { ...changedAt, anonymised: 'keep' },
})

export const channelColumns = personal(notificationSettings, 'Until the account is deleted', {
  userId: { ...ownerId, anonymised: 'id' },
  settingCd: { ...gone, shown: 'owner', exported: 'setting_cd', anonymised: 'code' },
  inApp: { ...gone, shown: 'owner', exported: 'in_app', anonymised: 'keep' },
  push: { ...gone, shown: 'owner', exported: 'push', anonymised: 'keep' },
  mail: { ...gone, shown: 'owner', exported: 'mail', anonymised: 'keep' },
})
