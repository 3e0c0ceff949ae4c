// Inquiries of the open form: sent, confirmed, read, answered and withdrawn by their sender.
import type { FastifyInstance } from 'fastify'
import {
  answerInquiry,
  confirmInquiry,
  type InquiryBody,
  type OwnInquiry,
  readInquiry,
  sendInquiry,
  withdrawInquiry,
} from '#contract/inquiries/inquiries.ts'
import { groundNames } from '#contract/inquiries/names.ts'
import { dueMs, UNCONFIRMED_MS } from '#contract/inquiries/states.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError, RateLimited } from '#server/http/errors.ts'
import { route } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { Db } from '#server/store/database.ts'
import {
  addInquiry,
  closeReport,
  findInquiry,
  type InquiryRecord,
  listEvents,
  lockInquiry,
  setInquiry,
} from '#server/store/inquiries/inquiries.ts'
import { contentAt, fileInCase } from './inquiry-content.ts'
import { hideRequested, requestedPost, restoreRequested } from './intimate-requests.ts'
import { emailSender, eventText, record, sealTexts, textsOf } from './inquiry-texts.ts'

/** Acts whose text the sender does not read: it is between staff and the author. */
const ofAuthor: ReadonlySet<string> = new Set(['asked_author', 'author_answered'])

export function inquirySenderRoutes(app: FastifyInstance, deps: Deps): void {
  const { limits } = deps.settings
  const byLink = { rateLimit: limits.appeals }
  route(
    app,
    sendInquiry,
    async ({ viewer, body, request }) => {
      await send(deps, viewer, body, request.host)
      return { data: { id: body.id } }
    },
    { rateLimit: limits.inquiries },
  )
  route(
    app,
    readInquiry,
    async ({ body }) => ({ inquiry: await ownView(deps, deps.db, await linked(deps, deps.db, body)) }),
    byLink,
  )
  const changing = (act: (unit: Unit, found: InquiryRecord) => Promise<InquiryRecord>, link: Link) =>
    deps.transaction(async (unit) => {
      const found = await linked(deps, unit.tx, link)
      return { inquiry: await ownView(deps, unit.tx, await act(unit, found)) }
    })
  route(
    app,
    confirmInquiry,
    ({ body, request }) => changing((unit, it) => confirm(deps, unit, it, request.ip), body),
    byLink,
  )
  route(app, withdrawInquiry, ({ body }) => changing((unit, it) => withdraw(deps, unit, it), body), byLink)
  route(
    app,
    answerInquiry,
    ({ body }) => changing((unit, it) => answer(deps, unit, it, body.text), body),
    byLink,
  )
}

/** @throws ApiError as `sendInquiry` */
async function send(deps: Deps, viewer: Viewer | null, body: InquiryBody, host: string): Promise<void> {
  const { id, kind, name, email, text } = body
  const before = await findInquiry(deps.db, id)
  if (before) {
    if (textsOf(deps, before).email === email && before.kind === kind) return
    throw new ApiError('conflict')
  }
  const content = await contentOf(deps, viewer, body, host)
  await countAddress(deps, email)
  const now = deps.clock()
  const { url, right, reason } = claimOf(body)
  await deps.transaction(async (unit) => {
    const row = {
      id,
      kind,
      sealed: sealTexts(deps, id, { name, email, url, right, text, reason }),
      senderId: viewer?.id ?? null,
      ...content,
      mayTellName: 'may_tell_name' in body && body.may_tell_name,
      createdAt: new Date(now),
    }
    // Of two calls at once, one sends the email.
    if (!(await addInquiry(unit.tx, row))) return
    await record(deps, unit, id, { act: 'sent' })
    const added = await findInquiry(unit.tx, id)
    if (added) await emailSender(deps, unit, added, { is: 'inquiry_confirm', until: now + UNCONFIRMED_MS })
  })
}

async function contentOf(
  deps: Deps,
  viewer: Viewer | null,
  body: InquiryBody,
  host: string,
): Promise<Awaited<ReturnType<typeof contentAt>>> {
  if (body.kind === 'contact') return undefined
  if (body.kind === 'intimate') return requestedPost(deps, body.url, host)
  const content = await contentAt(deps, viewer, body.url, host)
  if (!content) throw new ApiError('invalid', { url: 'unknown_content' })
  return content
}

function claimOf(body: InquiryBody): { url: string; right: string; reason: string } {
  if (body.kind === 'contact') return { url: '', right: '', reason: '' }
  if (body.kind === 'intimate') return { url: body.url, right: groundNames[body.ground], reason: '' }
  return body
}

/** @throws RateLimited when the address has received as many links as a day allows, from any network */
async function countAddress({ counts, secrets, settings }: Deps, email: string): Promise<void> {
  const { max, timeWindow } = settings.limits.inquiriesOfAddress
  const { current, ttl } = await counts.add(`inquiries ${secrets.mac('address', email)}`, timeWindow)
  if (current > max) throw new RateLimited(ttl)
}

interface Link {
  readonly inquiry_id: string
  readonly token: string
}

/** The inquiry of a link, locked in a transaction. @throws ApiError `link_invalid` */
async function linked(deps: Deps, db: Db, { inquiry_id: id, token }: Link): Promise<InquiryRecord> {
  if (!deps.secrets.isMac('inquiry-sender', id, token)) throw new ApiError('link_invalid')
  const found = db === deps.db ? await findInquiry(db, id) : await lockInquiry(db, id)
  const isOver = found?.state === 'unconfirmed' && found.createdAt.getTime() + UNCONFIRMED_MS <= deps.clock()
  if (!found || isOver) throw new ApiError('link_invalid')
  return found
}

async function confirm(deps: Deps, unit: Unit, found: InquiryRecord, ip: string): Promise<InquiryRecord> {
  if (found.state !== 'unconfirmed') return found
  const now = deps.clock()
  const inCase = found.kind !== 'contact' && found.kind !== 'disclosure'
  const reportId = inCase ? await fileInCase(deps, unit, found) : null
  const due = now + dueMs(found.kind)
  await record(deps, unit, found.id, { act: 'confirmed' })
  const hidden = await hideRequested(deps, unit, found, ip)
  await emailSender(deps, unit, found, { is: 'inquiry_received', due, hides: hidden.isHidden })
  const at = { receivedAt: new Date(now), dueAt: new Date(due), opinionDueAt: hidden.opinionDueAt }
  return setInquiry(unit.tx, found.id, { state: 'received', reportId, ...at })
}

const free = { takenBy: null, takenUntil: null }

async function answer(deps: Deps, unit: Unit, found: InquiryRecord, text: string): Promise<InquiryRecord> {
  if (found.state !== 'asked_sender') {
    const last = (await listEvents(unit.tx, found.id)).findLast((it) => it.act === 'sender_answered')
    if (last && eventText(deps, last) === text) return found
    throw new ApiError('gone')
  }
  await record(deps, unit, found.id, { act: 'sender_answered', text })
  return setInquiry(unit.tx, found.id, { state: 'in_progress', ...free })
}

async function withdraw(deps: Deps, unit: Unit, found: InquiryRecord): Promise<InquiryRecord> {
  if (found.outcome === 'withdrawn') return found
  if (found.state === 'decided' || found.state === 'unconfirmed') throw new ApiError('gone')
  const now = deps.clock()
  if (found.reportId !== null) await closeReport(unit.tx, found.reportId, now)
  await restoreRequested(unit, found, now)
  await record(deps, unit, found.id, { act: 'withdrawn' })
  const decided = { state: 'decided', outcome: 'withdrawn', decidedAt: new Date(now) } as const
  return setInquiry(unit.tx, found.id, { ...decided, ...free })
}

async function ownView(deps: Deps, db: Db, row: InquiryRecord): Promise<OwnInquiry> {
  return {
    id: row.id,
    number: row.number,
    kind: row.kind,
    state: row.state,
    outcome: row.outcome,
    written: textsOf(deps, row),
    created_at: row.createdAt.toISOString(),
    due_at: row.dueAt?.toISOString() ?? null,
    events: (await listEvents(db, row.id)).map((it) => ({
      act: it.act,
      at: it.at.toISOString(),
      text: ofAuthor.has(it.act) ? '' : eventText(deps, it),
    })),
  }
}
