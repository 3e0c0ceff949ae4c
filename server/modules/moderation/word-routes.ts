// Routes of blocked words: of the operator, for staff, and of each person.
import type { FastifyInstance } from 'fastify'
import { newId } from '#contract/ids.ts'
import { MAX_FOLDED_WORD, MAX_OPERATOR_WORDS, MAX_OWN_WORDS } from '#contract/moderation/hold-names.ts'
import { addOwnWord, listOwnWords, removeOwnWord } from '#contract/moderation/own-words.ts'
import {
  addOperatorWord,
  listOperatorWords,
  type OperatorWord,
  removeOperatorWord,
} from '#contract/moderation/words.ts'
import { fold } from '#contract/text/fold.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { memberRoute } from '#server/http/route.ts'
import type { Db } from '#server/store/database.ts'
import {
  addWord,
  type CountedWord,
  dropWord,
  listOperatorWordRows,
  listWords,
  lockWords,
  type WordRow,
} from '#server/store/moderation/words.ts'

export function wordRoutes(app: FastifyInstance, deps: Deps): void {
  operatorRoutes(app, deps)
  ownRoutes(app, deps)
}

const viewOf = (it: CountedWord): OperatorWord => ({
  id: it.id,
  word: it.word,
  folded: it.folded,
  note: it.note,
  added_by: it.addedBy !== null && it.addedByName !== null ? { id: it.addedBy, name: it.addedByName } : null,
  added_at: it.createdAt.toISOString(),
  hits: it.hits,
})

/** @throws ApiError `conflict` for a full list, `invalid` with `taken` for a word that it has in any spelling */
async function add(tx: Db, row: Omit<WordRow, 'folded'>, most: number): Promise<WordRow> {
  const folded = fold(row.word)
  if (folded === '') throw new ApiError('invalid', { word: 'invisible' })
  if (folded.length > MAX_FOLDED_WORD) throw new ApiError('invalid', { word: 'too_long' })
  if ((await lockWords(tx, row.ownerId)) >= most) throw new ApiError('conflict')
  const added = { ...row, folded }
  if (!(await addWord(tx, added))) throw new ApiError('invalid', { word: 'taken' })
  return added
}

function operatorRoutes(app: FastifyInstance, { db, clock, transaction }: Deps): void {
  memberRoute(app, listOperatorWords, async () => ({ words: (await listOperatorWordRows(db)).map(viewOf) }))

  memberRoute(app, addOperatorWord, ({ viewer, body, request }) =>
    transaction(async ({ tx, audit }) => {
      const row = { id: newId(), ownerId: null, ...body, addedBy: viewer.id, createdAt: new Date(clock()) }
      const added = await add(tx, row, MAX_OPERATOR_WORDS)
      const subject = { subjectKind: 'word', subjectId: added.id } as const
      audit({ actorId: viewer.id, act: 'word.add', ...subject, ip: request.ip })
      return { word: viewOf({ ...added, addedByName: viewer.name, hits: 0 }) }
    }),
  )

  memberRoute(app, removeOperatorWord, ({ viewer, params, request }) =>
    transaction(async ({ tx, audit }) => {
      if (!(await dropWord(tx, null, params.word_id))) throw new ApiError('not_found')
      const subject = { subjectKind: 'word', subjectId: params.word_id } as const
      audit({ actorId: viewer.id, act: 'word.remove', ...subject, ip: request.ip })
      return { removed: true as const }
    }),
  )
}

function ownRoutes(app: FastifyInstance, { db, clock, transaction, settings }: Deps): void {
  const rateLimit = perPerson(settings.limits.relations)
  memberRoute(app, listOwnWords, async ({ viewer }) => ({
    words: (await listWords(db, viewer.id)).map(({ id, word }) => ({ id, word })),
  }))

  memberRoute(
    app,
    addOwnWord,
    ({ viewer, body }) =>
      transaction(async ({ tx }) => {
        const row = { id: newId(), ownerId: viewer.id, word: body.word, note: '', addedBy: null }
        const { id, word } = await add(tx, { ...row, createdAt: new Date(clock()) }, MAX_OWN_WORDS)
        return { word: { id, word } }
      }),
    { rateLimit },
  )

  memberRoute(
    app,
    removeOwnWord,
    ({ viewer, params }) =>
      transaction(async ({ tx }) => {
        await dropWord(tx, viewer.id, params.word_id)
        return { removed: true as const }
      }),
    { rateLimit },
  )
}
