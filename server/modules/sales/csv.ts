// A creator's sales as CSV, streamed so that its length does not matter.
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import iconv from 'iconv-lite'
import * as v from 'valibot'
import { API_BASE } from '#contract/paths.ts'
import { csvQuery, SALES_CSV_PATH } from '#contract/sales/sales.ts'
import { CSV_BOM, csvLine } from '#contract/text/csv.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError, fieldsOf } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { memberOf } from '#server/http/viewer.ts'
import { salesCsvHead, salesCsvRow } from '#server/rules/sales-csv.ts'
import type { Db } from '#server/store/database.ts'
import { type EntryFilter, listEntries } from '#server/store/sales/entries.ts'
import { entryView, withinOf } from './entries.ts'

/** Entries that are read, and sent, at once. */
const BATCH = 1000

export function csvRoute(app: FastifyInstance, { db, settings }: Deps): void {
  const rateLimit = perPerson(settings.limits.salesFiles)
  app.get(API_BASE + SALES_CSV_PATH, { config: { rateLimit } }, (request, reply) => {
    const { id } = memberOf(request)
    const parsed = v.safeParse(csvQuery, request.query)
    if (!parsed.success) throw new ApiError('invalid', fieldsOf(parsed.issues))
    const { encoding, ...query } = parsed.output
    const filter = { within: withinOf(query), kind: query.kind, itemId: query.item }
    const of = query.day ?? query.month
    const name = `todoke-sales${of === undefined ? '' : `-${of}`}.csv`
    reply
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('cache-control', 'private, no-store')
      .type(`text/csv; charset=${encoding === 'utf-8' ? 'utf-8' : 'Shift_JIS'}`)
    const lines = linesOf(db, id, filter)
    // Characters that Shift_JIS does not have become question marks.
    return reply.send(Readable.from(encoding === 'utf-8' ? withBom(lines) : inShiftJis(lines)))
  })
}

/** Parts of the text: its head, then up to 1,000 entries at a time. */
async function* linesOf(db: Db, creatorId: string, filter: EntryFilter): AsyncGenerator<string> {
  yield csvLine(salesCsvHead)
  let after: { readonly at: Date; readonly id: string } | undefined
  for (;;) {
    const rows = await listEntries(db, creatorId, filter, { after, order: 'oldest', limit: BATCH })
    if (rows.length > 0) yield rows.map((row) => csvLine(salesCsvRow(entryView(row)))).join('')
    if (rows.length < BATCH) return
    after = rows.at(-1)
  }
}

async function* withBom(parts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  yield Buffer.from(CSV_BOM)
  for await (const part of parts) yield Buffer.from(part)
}

async function* inShiftJis(parts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const part of parts) yield iconv.encode(part, 'Shift_JIS')
}
