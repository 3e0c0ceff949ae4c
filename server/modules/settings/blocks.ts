// Blocking, taking it back, and the list of whom one has blocked.
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { id, instant } from '#contract/ids.ts'
import { blockPerson, listBlocks, unblockPerson } from '#contract/settings.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import { addBlock, type BlockPlace, listBlocked, removeBlock } from '#server/store/blocks.ts'
import { findPeople, findUser } from '#server/store/people.ts'
import { personView } from '#server/views/person-view.ts'

const PAGE = 30

export function blockRoutes(app: FastifyInstance, { db, clock }: Deps): void {
  memberRoute(app, listBlocks, async ({ viewer, query }) => {
    const rows = await listBlocked(db, viewer.id, { after: placeOf(query.cursor), limit: PAGE + 1 })
    const shown = rows.slice(0, PAGE)
    const people = await findPeople(
      db,
      shown.map((row) => row.id),
    )
    const last = rows.length > PAGE ? shown.at(-1) : undefined
    return {
      people: shown.flatMap((row) => {
        const person = people.get(row.id)
        if (!person) return []
        return [{ ...personView(person), blocked_at: row.at.toISOString() }]
      }),
      next: last ? cursorAt(last) : null,
    }
  })
  memberRoute(app, blockPerson, async ({ viewer, params }) => {
    if (params.user_id === viewer.id) throw new ApiError('conflict')
    if (!(await findUser(db, params.user_id))) throw new ApiError('not_found')
    await addBlock(db, viewer.id, params.user_id, clock())
    return { data: { user_id: params.user_id, blocked: true } }
  })
  memberRoute(app, unblockPerson, async ({ viewer, params }) => {
    await removeBlock(db, viewer.id, params.user_id)
    return { data: { user_id: params.user_id, blocked: false } }
  })
}

const place = v.pipe(v.string(), v.parseJson(), v.tuple([instant, id]))

function cursorAt(row: BlockPlace): string {
  return Buffer.from(JSON.stringify([row.at.toISOString(), row.id])).toString('base64url')
}

function placeOf(cursor: string | undefined): BlockPlace | undefined {
  if (cursor === undefined) return undefined
  const parsed = v.safeParse(place, Buffer.from(cursor, 'base64url').toString())
  if (!parsed.success) throw new ApiError('invalid', { cursor: 'malformed' })
  const [at, personId] = parsed.output
  return { at: new Date(at), id: personId }
}
