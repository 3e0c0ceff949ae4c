// Collects the entries of a person's zip: rows as JSON, and uploaded files.
import type { Deps } from '#server/deps.ts'
import { postFolder, safeName } from '#server/rules/export-names.ts'
import { exportReadme } from '#server/rules/export-readme.ts'
import {
  joinedPlans,
  ownMemberships,
  ownAccount,
  ownMedia,
  ownPayments,
  ownPictures,
  ownPlanPictures,
  ownPostPlans,
  ownPurchases,
  ownRows,
  ownSales,
} from '#server/store/accounts/own-data.ts'
import { addresseeOf } from '#server/services/documents/addressees.ts'
import { postColumns, postVersionColumns } from '#server/store/personal/content.ts'
import { exportedRow } from '#server/store/personal/duties.ts'
import {
  accountColumns,
  channelColumns,
  detailColumns,
  settingColumns,
} from '#server/store/personal/people.ts'
import { consentOf } from '#server/store/notices/consents.ts'
import { type FileEntry, fileEntry, type ZipEntry } from './file-entry.ts'
import { gatherMessages } from './messages.ts'
import { inquiriesOf, notificationsOf, peopleOf, reactionsOf, readingsOf } from './reactions.ts'
import { receiptIssuesOf } from './receipts.ts'
import { bankAccountOf, sellerOf } from './selling.ts'

const json = (name: string, value: unknown): ZipEntry => ({
  is: 'text',
  name,
  text: `${JSON.stringify(value, null, 2)}\n`,
})

/** @returns the entries, or undefined if the account no longer exists */
export async function gatherEntries(deps: Deps, userId: string): Promise<ZipEntry[] | undefined> {
  const account = await ownAccount(deps.db, userId)
  if (!account) return undefined
  const pictures = await gatherPictures(deps, userId)
  const posts = await gatherPosts(deps, userId)
  const messages = await gatherMessages(deps, userId)
  return [
    { is: 'text', name: 'README.txt', text: `\uFEFF${exportReadme(new Date(deps.clock()))}` },
    json('profile.json', { ...profileOf(account), files: pictures.map((it) => it.name) }),
    json('posts.json', posts.rows),
    json('settings.json', await settingsOf(deps, userId, account)),
    json('sessions.json', await sessionsOf(deps, userId)),
    json('purchases.json', await purchasesOf(deps, userId)),
    json('people.json', await peopleOf(deps.db, userId)),
    json('reactions.json', {
      ...(await reactionsOf(deps.db, userId)),
      inquiries: await inquiriesOf(deps, userId),
    }),
    json('readings.json', await readingsOf(deps.db, userId)),
    json('messages.json', messages.rows),
    json('notifications.json', await notificationsOf(deps.db, userId)),
    json('bank-account.json', await bankAccountOf(deps, userId)),
    json('seller.json', await sellerOf(deps, userId)),
    json('identity.json', await identityOf(deps, userId, account)),
    ...pictures,
    ...posts.files,
    ...messages.files,
  ]
}

type Account = NonNullable<Awaited<ReturnType<typeof ownAccount>>>

const profileOf = ({ user, details }: Account) =>
  exportedRow(accountColumns, user, {
    birthDate: exportedRow(detailColumns, details ?? { legalName: '', legalNameKana: '' }),
  })

async function gatherPictures(deps: Deps, userId: string): Promise<FileEntry[]> {
  const rows = [
    ...(await ownPictures(deps.db, userId)).map((it) => ({ ...it, folder: 'profile' })),
    ...(await ownPlanPictures(deps.db, userId)).map((it) => ({ ...it, folder: `plans/${it.planId}` })),
  ]
  const found = rows.map(({ id, role, folder, metadata }) =>
    fileEntry(deps, `media/${folder}/${role}_${safeName(metadata['filename'] ?? '', id)}`, id),
  )
  return (await Promise.all(found)).flat()
}

async function gatherPosts(deps: Deps, userId: string) {
  const posts = await ownRows.posts(deps.db, userId)
  const media = Map.groupBy(await ownMedia(deps.db, userId), (it) => it.postId)
  const plans = Map.groupBy(await ownPostPlans(deps.db, userId), (it) => it.postId)
  const versions = Map.groupBy(await ownRows.postVersions(deps.db, userId), (it) => it.postId)
  const rows = []
  const files: FileEntry[] = []
  for (const post of posts) {
    const folder = postFolder(post.createdAt, post.id)
    const postFiles = []
    for (const [i, it] of (media.get(post.id) ?? []).entries()) {
      const name = `${folder}/${i + 1}_${safeName(it.metadata['filename'] ?? '', it.id)}`
      const found = await fileEntry(deps, name, it.id)
      files.push(...found)
      postFiles.push({
        file: found[0]?.name ?? null,
        kind: it.kind,
        role: it.role,
        mime: it.mime,
        alt: it.alt,
      })
    }
    rows.push(
      exportedRow(postColumns, post, {
        price: { plans: (plans.get(post.id) ?? []).map((it) => it.name) },
        deletedAt: {
          files: postFiles,
          earlier_versions: (versions.get(post.id) ?? []).map((it) => exportedRow(postVersionColumns, it)),
        },
      }),
    )
  }
  return { rows, files }
}

async function settingsOf({ db }: Deps, userId: string, { settings }: Account) {
  const passkeys = await ownRows.passkeys(db, userId)
  return {
    ...exportedRow(settingColumns, settings ?? undefined),
    blocked_words: (await ownRows.blockedWords(db, userId)).map((it) => it.word),
    advertising_consent_at: await consentOf(db, userId),
    notifications: (await ownRows.notificationSettings(db, userId)).map((it) =>
      exportedRow(channelColumns, it),
    ),
    second_factor_since: (await ownRows.secondFactors(db, userId))[0]?.confirmedAt ?? null,
    passkeys: passkeys.map((it) => ({ name: it.name, added_at: it.createdAt, last_used_at: it.lastUsedAt })),
  }
}

async function sessionsOf({ db }: Deps, userId: string) {
  const sessions = await ownRows.sessions(db, userId)
  const devices = await ownRows.knownDevices(db, userId)
  const remembered = await ownRows.rememberedDevices(db, userId)
  const refusals = await ownRows.resetRefusals(db, userId)
  return {
    sessions: sessions.map((it) => ({
      method: it.method,
      device: it.device,
      ip: it.ip,
      place: it.place,
      app_build: it.build,
      opened_at: it.createdAt,
      last_used_at: it.lastUsedAt,
      expires_at: it.expiresAt,
    })),
    known_devices: devices.map((it) => ({ device: it.device, last_used_at: it.seenAt })),
    remembered_devices: remembered.map((it) => ({ last_used_at: it.seenAt })),
    reset_mail_refused_until: refusals[0]?.until ?? null,
  }
}

async function paymentsOf(deps: Deps, userId: string) {
  const issues = await receiptIssuesOf(deps, userId)
  return (await ownPayments(deps.db, userId)).map((it) => ({
    id: it.id,
    kind: it.kind,
    post_id: it.postId,
    membership_id: it.membershipId,
    paid_from: it.periodFrom,
    paid_until: it.periodUntil,
    creator: it.creator,
    amount: it.amount,
    state: it.state,
    begun_at: it.createdAt,
    paid_at: it.paidAt,
    refunded_at: it.refundedAt,
    refunded_amount: it.refundedAmount,
    receipt: it.receipt && {
      number: it.receipt.number,
      addressee: it.receipt.addressee,
      issued_at: it.receipt.issuedAt,
      last_issued_at: it.receipt.lastIssuedAt,
      issues: it.receipt.issues,
      issued: issues.get(it.id) ?? [],
    },
  }))
}

async function purchasesOf(deps: Deps, userId: string) {
  const { db } = deps
  return {
    bought: (await ownPurchases(db, userId)).map((it) => ({
      post_id: it.postId,
      author: it.author,
      price: it.price,
      at: it.boughtAt,
    })),
    payments: await paymentsOf(deps, userId),
    sold: (await ownSales(db, userId)).map((it) => ({
      post_id: it.postId,
      price: it.price,
      at: it.boughtAt,
    })),
    statements: await Promise.all(
      (await ownRows.statements(db, userId)).map(async (it) => ({
        ...statementOf(it),
        addressee: (await addresseeOf(deps, it.id)) ?? null,
      })),
    ),
    own_plans: (await ownRows.plans(db, userId)).map((it) => ({
      name: it.name,
      price: it.price,
      description: it.description,
      thanks: it.thanks,
      accepts_members: it.acceptsMembers,
      member_limit: it.memberLimit,
      opens_cheaper: it.opensCheaper,
      back_numbers: it.backNumbers,
      ends_at: it.endsAt,
      made_at: it.createdAt,
    })),
    memberships: await membershipsOf(deps, userId),
    joined_plans: (await joinedPlans(db, userId)).map((it) => ({
      name: it.name,
      creator: it.creator,
      price: it.price,
      joined_at: it.joinedAt,
      ends_at: it.endsAt,
    })),
  }
}

const statementOf = (it: Awaited<ReturnType<typeof ownRows.statements>>[number]) => ({
  month: it.month,
  number: it.number,
  opening: it.opening,
  plans: it.plans,
  posts: it.posts,
  refunds: it.refunds,
  fee: it.fee,
  fee_tax: it.feeTax,
  net: it.net,
  paid_out: it.paidOut,
  // Null before they were on statements.
  transfer_fee: it.transferFee,
  transfer_fee_tax: it.transferFeeTax,
  closing: it.closing,
  issued_at: it.issuedAt,
})

async function membershipsOf({ db }: Deps, userId: string) {
  return (await ownMemberships(db, userId)).map((it) => ({
    id: it.id,
    plan: it.plan,
    creator: it.creator,
    price: it.price,
    state: it.state,
    joined_at: it.joinedAt,
    paid_until: it.paidUntil,
    ended_at: it.endedAt,
    why: it.why,
  }))
}

async function identityOf({ db }: Deps, userId: string, { user }: Account) {
  return {
    identified_at: user.identifiedAt,
    checks: (await ownRows.checks(db, userId)).map((it) => ({
      state: it.state,
      document_kind: it.documentKind,
      submitted_at: it.submittedAt,
      decided_at: it.decidedAt,
      reason: it.reason,
      note: it.note,
    })),
  }
}
