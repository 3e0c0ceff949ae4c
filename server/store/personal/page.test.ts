// The page about the columns of rows about a person is that of their duties.
import { getTableConfig } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { allPersonal } from './all.ts'
import type { Duties } from './duties.ts'

const start = `# Columns of rows about a person

Made from \`server/store/personal\` by its test (\`npx vitest run --project unit server/store/personal -u\`). Erasure, both copies, what
reports quote, and anonymised copies follow from the same rows; [personal-data.md](personal-data.md) has all tables.

- **seen by**: \`others\` who see the row, \`owner\` (and staff who need it), or \`nobody\`.
- **copy**: its name in the copy that the person may request, or why it is not in it.
- **authority**: its name in a copy for an authority. **quoted**: reports quote it to staff.
- **at deletion**: what is left when the account is deleted. **anonymised**: what an anonymised copy has.
`

/** The page as Markdown. */
function personalPage(): string {
  return [start, ...allPersonal.map(([it]) => tableOf(it))].join('\n')
}

function tableOf({ table, kept, columns }: (typeof allPersonal)[number][0]): string {
  const { name } = getTableConfig(table)
  const rows = Object.entries(columns).map(([key, duties]) => rowOf(table, key, duties as Duties<unknown>))
  return `## \`${name}\`

${kept}.

| column | seen by | copy | authority | quoted | at deletion | anonymised |
|---|---|---|---|---|---|---|
${rows.join('\n')}
`
}

function rowOf(table: object, key: string, duties: Duties<unknown>): string {
  const { name } = (table as Readonly<Record<string, { readonly name: string }>>)[key] ?? { name: key }
  const { shown, exported, disclosed, quoted, erased, anonymised } = duties
  const cells = [
    `\`${name}\``,
    shown,
    typeof exported === 'string' ? exported : 'as' in exported ? exported.as : `– (${exported.without})`,
    disclosed ?? '–',
    quoted === null ? '–' : 'yes',
    erasedCell(erased),
    typeof anonymised === 'string' ? anonymised : anonymised.is,
  ]
  return `| ${cells.join(' | ')} |`
}

function erasedCell(erased: Duties<unknown>['erased']): string {
  if (typeof erased === 'string') return erased
  if ('until' in erased) return `stays until ${erased.until}`
  return 'to' in erased ? `\`${JSON.stringify(erased.to)}\`` : erased.text
}

test('the page lists each column with its duties', async () => {
  await expect(personalPage()).toMatchFileSnapshot('../../../docs/personal-columns.md')
})
