// How files are rewritten while other sessions disturb it.
import { expect, test } from 'vitest'
import { rewriteFiles } from './anonymise.ts'

const damaged = (where: string) =>
  Object.assign(new Error(`missing chunk number 0 for toast value 35319 in ${where}`), { code: 'XX001' })

/** Rewrites files with these results in turn. @returns the statements that were run */
async function rewritten(...results: readonly (readonly string[] | Error)[]): Promise<string[]> {
  const run: string[] = []
  await rewriteFiles(
    {
      async runAlone(statement) {
        const result = results[run.push(statement) - 1]
        if (result instanceof Error) throw result
        return result ?? []
      },
    },
    'vacuum',
  )
  return run
}

test('files without deleted rows are rewritten once', async () => {
  expect(await rewritten(['0 dead row versions cannot be removed yet'])).toEqual(['vacuum'])
})

test('they are rewritten again while deleted rows stay', async () => {
  expect(await rewritten(['2 dead row versions cannot be removed yet'], [])).toEqual(['vacuum', 'vacuum'])
})

test('and after statistics were rewritten while they were read', async () => {
  expect(await rewritten(damaged('pg_toast_2619'), [])).toEqual(['vacuum', 'vacuum'])
})

test('damage of another table is an error', async () => {
  await expect(rewritten(damaged('pg_toast_16444'), [])).rejects.toThrow('pg_toast_16444')
})
