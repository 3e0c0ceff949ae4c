// Refuses names that impersonate the operator, and lists members who have one.
import type { Role } from '#contract/administration/role-names.ts'
import type { ReservedHolder } from '#contract/identity/admin-names.ts'
import { reservedFields, reservedReason, type ShownNames } from '#server/rules/reserved-names.ts'
import type { Db } from '#server/store/database.ts'
import { listMemberNames, type MemberNames } from '#server/store/accounts/names.ts'
import { findUser } from '#server/store/people/people.ts'

/** Accounts read by one statement. */
const BATCH = 500

/**
 * Which of these names are refused to a person because they impersonate the operator. Admins may have such names, and a
 * name that a person already has is not refused.
 */
export async function reservedFor(
  db: Db,
  viewer: { readonly id: string; readonly role: Role },
  change: ShownNames,
): Promise<Record<string, 'reserved'> | undefined> {
  if (viewer.role === 'admin') return undefined
  const before = await findUser(db, viewer.id)
  const refused = reservedFields(change, before)
  return Object.keys(refused).length > 0 ? refused : undefined
}

/**
 * Members whose name or handle impersonates the operator, ordered by id.
 * @param after id of the account after which the call starts
 * @param most accounts that one call reads
 * @returns `next`: id of the account after which the next call starts; null when all were read
 */
export async function listReservedHolders(
  db: Db,
  after: string | undefined,
  most: number,
): Promise<{ people: ReservedHolder[]; next: string | null }> {
  const people: ReservedHolder[] = []
  let last = after
  for (let read = 0; read < most; read += BATCH) {
    const rows = await listMemberNames(db, last, BATCH)
    people.push(...rows.flatMap(holderOf))
    if (rows.length < BATCH) return { people, next: null }
    last = rows.at(-1)?.id
  }
  return { people, next: last ?? null }
}

function holderOf({ id, name, handle, createdAt }: MemberNames): ReservedHolder[] {
  const nameReason = reservedReason(name) ?? null
  const handleReason = handle === null ? null : (reservedReason(handle) ?? null)
  if (nameReason === null && handleReason === null) return []
  return [
    {
      id,
      name,
      handle,
      name_reason: nameReason,
      handle_reason: handleReason,
      created_at: createdAt.toISOString(),
    },
  ]
}
