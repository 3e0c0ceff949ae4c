// The migration gives notices from before their states and the trees of their texts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { migrationsFolder } from '#server/store/database.ts'
import { databases, openWorld } from '#server/testing/world.ts'

/** The statement of the migration that fills the new columns. */
function fillingStatement(): string {
  const file = readFileSync(join(migrationsFolder, '0046_operator_notices.sql'), 'utf8')
  const statement = file.split('--> statement-breakpoint').find((it) => it.includes('UPDATE "notices"'))
  if (statement === undefined) throw new Error('the migration has no such statement')
  return statement
}

test.each(databases.filter((it) => it.available))(
  'on $kind, drafts, scheduled, running and published notices keep their text',
  async ({ kind }) => {
    const world = await openWorld({ database: kind })
    const run = (text: string, values: readonly unknown[] = []) => world.database.executeSql(text, values)
    const ids = { draft: newId(), scheduled: newId(), publishing: newId(), published: newId() }
    const moments: Record<keyof typeof ids, string | null> = {
      draft: null,
      scheduled: '2999-01-01',
      publishing: '2026-01-01',
      published: '2026-01-01',
    }
    for (const [state, id] of Object.entries(ids))
      await run(
        `insert into notices (id, title, body, content, state, audience, pushes, mails, is_advertising, is_urgent, created_at, published_at)
         values ($1, 'お知らせ', $2, '[]', 'withdrawn', 'all', false, false, true, true, now(), $3)`,
        [id, '一行目\n二行目\n\n\n次の段落', moments[state as keyof typeof ids]],
      )
    await run(`insert into fan_outs (about_id, kind, started_at) values ($1, 'notice', now())`, [
      ids.publishing,
    ])
    await run(fillingStatement())
    const { rows } = await run('select id, state, content, pushes, is_urgent from notices')
    const found = rows as {
      id: string
      state: string
      content: unknown
      pushes: boolean
      is_urgent: boolean
    }[]
    expect(Object.fromEntries(found.map((it) => [it.state, it.id]))).toEqual(ids)
    for (const it of found)
      expect([it.content, it.pushes, it.is_urgent]).toEqual([
        [
          { is: 'paragraph', pieces: [{ text: '一行目\n二行目' }] },
          { is: 'paragraph', pieces: [{ text: '次の段落' }] },
        ],
        true,
        false,
      ])
    await world.close()
  },
)
