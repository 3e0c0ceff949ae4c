// Invitations of admins: new codes, and their end.
import { randomInt } from 'node:crypto'
import { INVITE_FIRST, INVITE_LENGTH, INVITE_LETTERS } from '#contract/accounts/invite-code.ts'
import type { addInvitations, Invitation } from '#contract/accounts/invitations.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { newId } from '#contract/ids.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import {
  addInvitationRows,
  type InvitationRow,
  revokeInvitationRow,
} from '#server/store/accounts/invitations.ts'
import type { Acting } from './settings.ts'

const DAY = 24 * 3600_000

/** It begins with a letter: parsers of addresses read other codes as numbers. */
function newCode(): string {
  const first = INVITE_FIRST[randomInt(INVITE_FIRST.length)]
  const rest = Array.from(
    { length: INVITE_LENGTH - 1 },
    () => INVITE_LETTERS[randomInt(INVITE_LETTERS.length)],
  )
  return [first, ...rest].join('')
}

export const invitationView = (it: InvitationRow): Invitation => ({
  id: it.id,
  code: it.code,
  uses: it.uses,
  used: it.used,
  until: it.until.toISOString(),
  made_at: it.madeAt.toISOString(),
  revoked_at: it.revokedAt?.toISOString() ?? null,
})

/** Makes codes; one entry of the audit log is about all of them, with the id of the first. */
export function makeInvitations(
  { transaction, clock }: Deps,
  { count, uses, days }: BodyOf<typeof addInvitations>,
  { actorId, ip }: Acting,
): Promise<Invitation[]> {
  const now = clock()
  const until = now + days * DAY
  const rows = Array.from({ length: count }, () => ({
    id: newId(),
    code: newCode(),
    uses,
    used: 0,
    until: new Date(until),
    madeAt: new Date(now),
    revokedAt: null,
  }))
  return transaction(async ({ tx, audit }) => {
    await addInvitationRows(tx, rows)
    const subjectId = rows[0]?.id ?? newId()
    const detail = { count, uses, until }
    audit({ actorId, act: 'invitation.add', subjectKind: 'invitation', subjectId, detail, ip })
    return rows.map(invitationView)
  })
}

/** @throws ApiError `not_found` for an unknown invitation */
export function revokeInvitationOf(
  { transaction, clock }: Deps,
  id: string,
  { actorId, ip }: Acting,
): Promise<Invitation> {
  return transaction(async ({ tx, audit }) => {
    const revoked = await revokeInvitationRow(tx, id, clock())
    if (!revoked) throw new ApiError('not_found')
    const detail = { used: revoked.row.used }
    const entry = { actorId, subjectKind: 'invitation', subjectId: id, ip } as const
    if (revoked.isNew) audit({ ...entry, act: 'invitation.revoke', detail })
    return invitationView(revoked.row)
  })
}
