// Checks names that pose as the operator, and lists members who have one.
import type { ReservedHolder } from '#contract/identity/admin-names.ts'
import { reservedFields, reservedReason, type ShownNames } from '#server/rules/reserved-names.ts'
import type { Db } from '#server/store/database.ts'
import { listMemberNames, type MemberNames } from '#server/store/accounts/names.ts'
import { findUser } from '#server/store/people/people.ts'

/** Accounts read by one statement. */
const BATCH = 500

/**
 * Which of these names are refused to a person because they pose as the operator. Admins may have them, and everybody
 * keeps the one they have.
 */
export async function reservedFor(
  db: Db,
  viewer: { readonly id: string; readonly role: 'member' | 'admin' },
  change: ShownNames,
): Promise<Record<string, 'reserved'> | undefined> {
  if (viewer.role === 'admin') return undefined
  const before = await findUser(db, viewer.id)
  const refused = reservedFields(change, before)
  return Object.keys(refused).length > 0 ? refused : undefined
}

/**
 * Members whose name or handle poses as the operator, by id.
 * @param after the account to go on behind
 * @param most accounts that are looked at in one call
 * @returns `next`: the account to go on behind, null when all were looked at
 */
export async function listReservedHolders(
  db: Db,
  after: string | undefined,
  most: number,
): Promise<{ people: ReservedHolder[]; next: string | null }> {
  const people: ReservedHolder[] = []
  let last = after
  for (let seen = 0; seen < most; seen += BATCH) {
    const rows = await listMemberNames(db, last, BATCH)
    people.push(...rows.flatMap(holderOf))
    if (rows.length < BATCH) return { people, next: null }
    last = rows.at(-1)?.id
  }
  return { people, next: last ?? null }
}

function holderOf({ id, name, handle, createdAt }: MemberNames): ReservedHolder[] {
  const named = reservedReason(name) ?? null
  const handled = handle === null ? null : (reservedReason(handle) ?? null)
  if (named === null && handled === null) return []
  return [
    {
      id,
      name,
      handle,
      name_reason: named,
      handle_reason: handled,
      created_at: createdAt.toISOString(),
    },
  ]
}
