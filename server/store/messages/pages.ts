// Pages of the messages of a conversation, and its changes after a number.
import { type SQL, sql } from 'drizzle-orm'
import { MESSAGES_PAGE } from '#contract/messages/messages.ts'
import type { Db } from '#server/store/database.ts'
import { type Params, statement } from '#server/store/statement.ts'
import { hiddenMessages, messages } from '#server/store/tables/messages.ts'
import { factsColumns, type MessageFacts, notHidden, sideOf } from './message-facts.ts'

/** The viewer and the conversation of a page. */
interface Reading {
  readonly viewer: string
  readonly conversation: string
}

interface From extends Reading {
  /** A sequence number, or a change number. */
  readonly number: number
}

const types = { viewer: 'uuid', conversation: 'uuid', number: 'integer' } as const

/** Visible messages of a conversation that satisfy a condition. */
function visible(param: Params<From>, more: SQL): SQL {
  const [viewer, conversation] = [param('viewer'), param('conversation')]
  const side = sideOf(viewer, conversation)
  return sql`select ${factsColumns(viewer, side)} from ${messages} as m
    where m.conversation_id = ${conversation} and m.seq > ${side.cleared} and ${notHidden('m', viewer)} and ${more}`
}

const ordered = (direction: 'asc' | 'desc', limit: number): SQL =>
  sql.raw(`order by m.seq ${direction} limit ${limit}`)

/** @param limit messages of a page; one more is read */
const older = (limit: number) =>
  statement<From, MessageFacts>(
    types,
    (param) => sql`${visible(param, sql`m.seq < ${param('number')}`)} ${ordered('desc', limit + 1)}`,
  )

const newer = (limit: number) =>
  statement<From, MessageFacts>(
    types,
    (param) => sql`${visible(param, sql`m.seq > ${param('number')}`)} ${ordered('asc', limit + 1)}`,
  )

const HALF = MESSAGES_PAGE / 2
const page = { older: older(MESSAGES_PAGE), newer: newer(MESSAGES_PAGE) }
const half = { older: older(HALF), newer: newer(HALF) }
const one = { older: older(0), newer: newer(0) }

/** A number above every sequence number. */
const END = 2_147_483_647

/** Where a page is: the newest messages, those before or after a number, or those around one. */
export type PageStart =
  | { readonly is: 'newest' }
  | { readonly is: 'before' | 'after' | 'around'; readonly seq: number }

export interface MessagePage {
  /** In their order. */
  readonly rows: readonly MessageFacts[]
  readonly hasBefore: boolean
  readonly hasAfter: boolean
}

export async function readPage(db: Db, reading: Reading, start: PageStart): Promise<MessagePage> {
  const at = (number: number): From => ({ ...reading, number })
  switch (start.is) {
    case 'newest':
    case 'before': {
      const seq = start.is === 'newest' ? END : start.seq
      const rows = await page.older(db, at(seq))
      const hasAfter = start.is === 'before' && (await one.newer(db, at(seq - 1))).length > 0
      return { ...backwards(rows, MESSAGES_PAGE), hasAfter }
    }
    case 'after': {
      const rows = await page.newer(db, at(start.seq))
      const hasBefore = (await one.older(db, at(start.seq + 1))).length > 0
      return { rows: rows.slice(0, MESSAGES_PAGE), hasBefore, hasAfter: rows.length > MESSAGES_PAGE }
    }
    case 'around': {
      const before = backwards(await half.older(db, at(start.seq + 1)), HALF)
      const after = await half.newer(db, at(start.seq))
      return { ...before, rows: [...before.rows, ...after.slice(0, HALF)], hasAfter: after.length > HALF }
    }
    default:
      return start satisfies never
  }
}

const backwards = (rows: readonly MessageFacts[], limit: number) => ({
  rows: rows.slice(0, limit).toReversed(),
  hasBefore: rows.length > limit,
})

/** One message that the viewer sees. */
export async function factsOfMessage(
  db: Db,
  reading: Reading,
  seq: number,
): Promise<MessageFacts | undefined> {
  const [row] = await one.older(db, { ...reading, number: seq + 1 })
  return row?.seq === seq ? row : undefined
}

/** Changes of one page. */
const CHANGES = 200

const changed = statement<From, MessageFacts>(
  types,
  (param) =>
    sql`${visible(param, sql`m.change > ${param('number')}`)} order by m.change limit ${sql.raw(String(CHANGES + 1))}`,
)

interface HiddenRow {
  readonly id: string
  readonly number: number
}

const hidden = statement<From, HiddenRow>(
  types,
  (param) =>
    sql`select message_id as id, number from ${hiddenMessages} where conversation_id = ${param('conversation')}
      and user_id = ${param('viewer')} and number > ${param('number')} order by number limit ${sql.raw(String(CHANGES + 1))}`,
)

/** The newest change that both may notice, and the newest deletion of the viewer. */
export interface ChangePlace {
  readonly change: number
  readonly deletion: number
}

export interface Changes {
  readonly rows: readonly MessageFacts[]
  /** Ids of messages that were hidden from the viewer. */
  readonly hidden: readonly string[]
  /** Everything up to here is in the page. */
  readonly next: ChangePlace
  readonly hasMore: boolean
}

/** @param last the newest numbers, read before this call: what is later is in the next page too */
export async function readChanges(
  db: Db,
  reading: Reading,
  after: ChangePlace,
  last: ChangePlace,
): Promise<Changes> {
  const rows = await changed(db, { ...reading, number: after.change })
  const gone = await hidden(db, { ...reading, number: after.deletion })
  const [shown, shownGone] = [rows.slice(0, CHANGES), gone.slice(0, CHANGES)]
  const upTo = (all: number, newest: number | undefined, end: number, start: number) =>
    all > CHANGES ? (newest ?? start) : Math.max(start, end)
  return {
    rows: shown,
    hidden: shownGone.map((it) => it.id),
    next: {
      change: upTo(rows.length, shown.at(-1)?.change, last.change, after.change),
      deletion: upTo(gone.length, shownGone.at(-1)?.number, last.deletion, after.deletion),
    },
    hasMore: rows.length > CHANGES || gone.length > CHANGES,
  }
}
