// The opinion of an author about a claim, by the link of its email.
import type { FastifyInstance } from 'fastify'
import { type AskedOpinion, readOpinion, sendOpinion } from '#contract/inquiries/inquiries.ts'
import type { Opinion } from '#contract/inquiries/states.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { route } from '#server/http/route.ts'
import type { Db } from '#server/store/database.ts'
import {
  findInquiry,
  type InquiryRecord,
  listEvents,
  listSilent,
  lockInquiry,
  setInquiry,
} from '#server/store/inquiries/inquiries.ts'
import { eventText, record, textsOf } from './inquiry-texts.ts'

interface Link {
  readonly inquiry_id: string
  readonly token: string
}

export function inquiryAuthorRoutes(app: FastifyInstance, deps: Deps): void {
  const options = { rateLimit: deps.settings.limits.appeals }
  route(
    app,
    readOpinion,
    async ({ body }) => ({ asked: await viewOf(deps, deps.db, await linked(deps, deps.db, body)) }),
    options,
  )
  route(
    app,
    sendOpinion,
    ({ body }) =>
      deps.transaction(async (unit) => {
        const found = await linked(deps, unit.tx, body)
        const text = body.opinion === 'refuses' ? body.text : ''
        const before = await viewOf(deps, unit.tx, found)
        if (before.opinion === body.opinion && before.answer === text) return { asked: before }
        const isOpen = found.state !== 'decided' && found.opinion === null
        if (!isOpen || before.due_at <= new Date(deps.clock()).toISOString()) throw new ApiError('gone')
        await record(deps, unit, found.id, { act: 'author_answered', text })
        return { asked: await viewOf(deps, unit.tx, await answered(unit.tx, found, body.opinion)) }
      }),
    options,
  )
}

/** Staff go on with a claim that has waited for the author; one that they were reading stays as it is. */
const answered = (tx: Db, { id, state }: InquiryRecord, opinion: Opinion): Promise<InquiryRecord> =>
  setInquiry(tx, id, {
    opinion,
    ...(state === 'asked_author' && { state: 'in_progress', takenBy: null, takenUntil: null }),
  })

/** An inquiry whose author was requested to answer, locked in a transaction. @throws ApiError `link_invalid` */
async function linked(deps: Deps, db: Db, { inquiry_id: id, token }: Link): Promise<InquiryRecord> {
  if (!deps.secrets.isMac('inquiry-author', id, token)) throw new ApiError('link_invalid')
  const found = db === deps.db ? await findInquiry(db, id) : await lockInquiry(db, id)
  if (!found || found.ownerId === null || found.opinionDueAt === null) throw new ApiError('link_invalid')
  return found
}

async function viewOf(deps: Deps, db: Db, row: InquiryRecord): Promise<AskedOpinion> {
  const { name, url, right, text } = textsOf(deps, row)
  const events = await listEvents(db, row.id)
  const textOf = (act: string) => {
    const event = events.findLast((it) => it.act === act)
    return event ? eventText(deps, event) : ''
  }
  if (row.opinionDueAt === null) throw new Error('the author was not asked')
  return {
    id: row.id,
    number: row.number,
    kind: row.kind,
    state: row.state,
    outcome: row.outcome,
    name: row.mayTellName ? name : '',
    url,
    right,
    // Who is shown writes to staff alone.
    text: row.kind === 'intimate' ? '' : text,
    question: textOf('asked_author'),
    due_at: row.opinionDueAt.toISOString(),
    opinion: row.opinion,
    answer: textOf('author_answered'),
  }
}

/** Records for claims whose author has not answered in time that nothing came; staff go on with them. */
export async function endSilentOpinions(deps: Deps): Promise<void> {
  for (const id of await listSilent(deps.db, deps.clock()))
    await deps.transaction(async (unit) => {
      const found = await lockInquiry(unit.tx, id)
      if (!found || found.state === 'decided' || found.opinion !== null) return
      await record(deps, unit, id, { act: 'author_silent' })
      await answered(unit.tx, found, 'silent')
    })
}
