// What an export for an authority has about a person within a time.
import type { Deps } from '#server/deps.ts'
import { openCopy } from '#server/services/people/sealed-copy.ts'
import { type AuthorityExportRow, reportedMessagesOf } from '#server/store/accounts/authority-exports.ts'
import { ownAccount, ownPayments, ownRows } from '#server/store/accounts/own-data.ts'
import { commentColumns, messageColumns, postColumns } from '#server/store/personal/content.ts'
import { disclosedRow } from '#server/store/personal/duties.ts'
import { accountColumns, detailColumns } from '#server/store/personal/people.ts'
import type { ZipEntry } from './file-entry.ts'

type Asked = Pick<AuthorityExportRow, 'userId' | 'from' | 'to' | 'caseNumber'>

/** Only what the person themselves wrote, did or gave. Of messages, those that reports have copies of. */
export async function authorityEntries(deps: Deps, asked: Asked): Promise<ZipEntry[] | undefined> {
  const { db, clock } = deps
  const { userId } = asked
  const account = await ownAccount(db, userId)
  if (!account) return undefined
  const isWithin = within(asked)
  return [
    json('request.json', {
      case_number: asked.caseNumber,
      from: asked.from,
      before: asked.to,
      made_at: new Date(clock()),
    }),
    json('profile.json', profileOf(account)),
    json('sessions.json', await sessionsOf(deps, asked)),
    json(
      'posts.json',
      (await ownRows.posts(db, userId))
        .filter((it) => isWithin(it.createdAt))
        .map((it) => disclosedRow(postColumns, it)),
    ),
    json(
      'comments.json',
      (await ownRows.comments(db, userId))
        .filter((it) => isWithin(it.createdAt))
        .map((it) => disclosedRow(commentColumns, it)),
    ),
    json(
      'payments.json',
      (await ownPayments(db, userId))
        .filter((it) => isWithin(it.createdAt))
        .map((it) => ({
          id: it.id,
          kind: it.kind,
          creator: it.creator,
          amount: it.amount,
          state: it.state,
          begun_at: it.createdAt,
          paid_at: it.paidAt,
        })),
    ),
    json('reported-messages.json', await messagesOf(deps, asked)),
  ]
}

const profileOf = ({ user, details }: NonNullable<Awaited<ReturnType<typeof ownAccount>>>) =>
  disclosedRow(accountColumns, user, {
    birthDate: disclosedRow(detailColumns, details ?? { legalName: '', legalNameKana: '' }),
  })

const json = (name: string, value: unknown): ZipEntry => ({
  is: 'text',
  name,
  text: `${JSON.stringify(value, null, 2)}\n`,
})

const within =
  ({ from, to }: Asked) =>
  (at: Date | string): boolean =>
    new Date(at) >= from && new Date(at) < to

/** Sessions that were open within the time. */
async function sessionsOf({ db }: Deps, { userId, from, to }: Asked) {
  return (await ownRows.sessions(db, userId))
    .filter((it) => it.createdAt < to && it.lastUsedAt >= from)
    .map((it) => ({
      method: it.method,
      device: it.device,
      ip: it.ip,
      place: it.place,
      opened_at: it.createdAt,
      last_used_at: it.lastUsedAt,
    }))
}

async function messagesOf({ db, secrets }: Deps, asked: Asked) {
  const isWithin = within(asked)
  const copies = await reportedMessagesOf(db, asked.userId)
  return copies
    .map((it) => ({ report: it.reportId, copy: openCopy(secrets, it.reportId, it.seq, it.sealed) }))
    .filter(({ copy }) => isWithin(copy.sentAt))
    .map(({ report, copy }) => ({ report, ...disclosedRow(messageColumns, copy) }))
}
