// Removes all personal data from a copy of the database.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { searchable, searchablePerson } from '#server/rules/search-grams.ts'
import { allRules } from '#server/store/anonymise/all.ts'
import { markCopy } from '#server/store/anonymise/copy-mark.ts'
import { addFunctions } from '#server/store/anonymise/functions.ts'
import type { TableRules } from '#server/store/anonymise/rules.ts'
import { indexMessages, indexPeople, indexPosts } from '#server/store/anonymise/search.ts'
import { emptyTables, rewriteTable } from '#server/store/anonymise/statements.ts'
import {
  dropJobs,
  lockTables,
  removeStatistics,
  withoutReferences,
} from '#server/store/anonymise/structure.ts'
import type { Db } from '#server/store/database.ts'

export interface AnonymiseCall {
  /** A single session of the copy, on which no other session is open. */
  readonly db: Db
  /** A transaction of the session. No unit of work: neither jobs, live messages nor audit entries follow it. */
  readonly inTransaction: (work: (tx: Db) => Promise<void>) => Promise<void>
  /** The name of the database. */
  readonly name: string
  /** Of all accounts; '' leaves them without a password. */
  readonly passwordHash: string
  /** Runs a statement of the session outside every transaction. @returns the details of its notices */
  readonly runAlone: (statement: string) => Promise<readonly string[]>
  /** Called before each step: a table, or what follows the tables. */
  readonly onStep: (step: string) => void
}

/**
 * Changes all rows in one transaction: a run that dies leaves the copy as it was, marked as a copy. What remains of the
 * earlier rows in the files of the database and in its statistics is removed afterwards; until then the copy is
 * marked as `rewritten`. A further run does both again.
 */
export async function anonymise(call: AnonymiseCall): Promise<void> {
  const { db, name, onStep } = call
  await call.inTransaction(async (tx) => {
    await lockTables(tx, allRules)
    await addFunctions(tx, randomBytes(32).toString('hex'), call.passwordHash)
    await withoutReferences(tx, allRules, () => rewriteRows(tx, allRules, onStep))
    await removeStatistics(tx)
    await markCopy(tx, name, 'rewritten')
    onStep('commit')
  })
  onStep('vacuum')
  await rewriteFiles(call, 'vacuum (full, analyze, verbose)')
  // The statistics of columns, which `analyze` has just replaced.
  await rewriteFiles(call, 'vacuum (full, verbose) pg_catalog.pg_statistic')
  await markCopy(db, name, 'anonymised')
}

/** How often the files are rewritten again, and the pause before it, ms. */
const TRIES = 60
const PAUSE = 1000

/**
 * Rewrites files without deleted rows. PostgreSQL writes those again that another session, such as one of autovacuum, may still
 * see: then the files are rewritten once more.
 * @param vacuum a verbose statement: the detail of each table begins with the number of deleted rows that stay
 * @throws while another session remains: the copy stays `rewritten`, and a further run begins here again
 */
export async function rewriteFiles(
  { runAlone }: Pick<AnonymiseCall, 'runAlone'>,
  vacuum: string,
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 0) await pause(PAUSE)
    const details = await runAlone(vacuum).catch((error: unknown) => {
      if (!lostStatistics(error)) throw error
    })
    if (details?.every((it) => !(Number.parseInt(it, 10) > 0))) return
  }
  throw new Error('other sessions of the database prevent the removal of deleted rows')
}

/**
 * Whether a statement read statistics that it or autovacuum had just rewritten. PostgreSQL reports them as damaged
 * (XX001, the long values of `pg_statistic`), and the next run reads the new ones.
 */
const lostStatistics = (error: unknown): boolean =>
  error instanceof Error &&
  (error as { readonly code?: unknown }).code === 'XX001' &&
  error.message.endsWith(' in pg_toast_2619')

async function rewriteRows(
  tx: Db,
  rules: readonly TableRules[],
  onStep: AnonymiseCall['onStep'],
): Promise<void> {
  await emptyTables(tx, rules)
  await dropJobs(tx)
  for (const it of rules) {
    if (!it.columns) continue
    onStep(it.name)
    await rewriteTable(tx, it)
  }
  onStep('search')
  await indexPosts(tx, searchable)
  await indexPeople(tx, searchablePerson)
  await indexMessages(tx, searchable)
}
