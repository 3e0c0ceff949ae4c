// Routes of account information, which only its owner reads and changes.
import type { FastifyInstance } from 'fastify'
import { changeOwnInfo, getOwnInfo, type OwnInfo, setLegalName } from '#contract/accounts/settings.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import { findOwnInfo, saveLegalName, saveOwnInfo } from '#server/store/accounts/own-info.ts'
import { reindexPerson } from '#server/services/search/search-index.ts'
import { reservedFor } from '#server/services/people/reserved-names.ts'

export function ownInfoRoutes(app: FastifyInstance, { db, clock, transaction }: Deps): void {
  const read = async (userId: string): Promise<OwnInfo> => {
    const row = await findOwnInfo(db, userId)
    if (!row) throw new ApiError('unauthenticated')
    return {
      name: row.name,
      email: row.email,
      birth_date: row.birthDate,
      legal_name: row.legalName ?? '',
      legal_name_kana: row.legalNameKana ?? '',
      identified: row.identifiedAt !== null,
    }
  }
  memberRoute(app, getOwnInfo, ({ viewer }) => read(viewer.id))
  memberRoute(app, setLegalName, async ({ viewer, body }) => {
    const change = { legalName: body.legal_name, legalNameKana: body.legal_name_kana }
    await transaction(({ tx }) => saveLegalName(tx, viewer.id, change, clock()))
    return read(viewer.id)
  })
  memberRoute(app, changeOwnInfo, async ({ viewer, body }) => {
    const reserved = await reservedFor(db, viewer, { name: body.name })
    if (reserved) throw new ApiError('invalid', reserved)
    const change = {
      name: body.name,
      birthDate: body.birth_date,
      legalName: body.legal_name,
      legalNameKana: body.legal_name_kana,
    }
    await transaction(async ({ tx }) => {
      if (!(await saveOwnInfo(tx, viewer.id, change, clock())))
        throw new ApiError('invalid', { birth_date: 'locked' })
      await reindexPerson(tx, viewer.id)
    })
    return read(viewer.id)
  })
}
