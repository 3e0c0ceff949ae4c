// The list of members whose name poses as the operator, for admins; each reading is written to the audit log.
import type { FastifyInstance } from 'fastify'
import { listReservedNames } from '#contract/identity/admin-names.ts'
import type { Deps } from '#server/deps.ts'
import { memberRoute } from '#server/http/route.ts'
import { writeAudit } from '#server/store/accounts/audit.ts'
import { listReservedHolders } from '#server/services/people/reserved-names.ts'

/** Accounts looked at for one page. */
const LOOKED_AT = 5000

export function reservedNameRoutes(app: FastifyInstance, { db, clock }: Deps): void {
  memberRoute(app, listReservedNames, async ({ viewer, query, request }) => {
    const page = await listReservedHolders(db, query.cursor, LOOKED_AT)
    await writeAudit(
      db,
      {
        actorId: viewer.id,
        act: 'reserved_names.read',
        // The list is about many people: the entry is about the reader, and names the people in its detail.
        subjectKind: 'user',
        subjectId: viewer.id,
        detail: { people: page.people.map((it) => it.id) },
        ip: request.ip,
      },
      clock(),
    )
    return page
  })
}
