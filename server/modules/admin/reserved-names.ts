// Route of the members with reserved names, for admins. Each reading is in the audit log.
import type { FastifyInstance } from 'fastify'
import { listReservedNames } from '#contract/identity/admin-names.ts'
import type { Deps } from '#server/deps.ts'
import { memberRoute } from '#server/http/route.ts'
import { listReservedHolders } from '#server/services/people/reserved-names.ts'

/** Accounts that one page examines. */
const ACCOUNTS_PER_PAGE = 5000

export function reservedNameRoutes(app: FastifyInstance, { db, audit }: Deps): void {
  memberRoute(app, listReservedNames, async ({ viewer, query, request }) => {
    const page = await listReservedHolders(db, query.cursor, ACCOUNTS_PER_PAGE)
    await audit({
      actorId: viewer.id,
      act: 'reserved_names.read',
      // The list has many people: the subject of the entry is the reader, and its detail has the people.
      subjectKind: 'user',
      subjectId: viewer.id,
      detail: { people: page.people.map((it) => it.id) },
      ip: request.ip,
    })
    return page
  })
}
