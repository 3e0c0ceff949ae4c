// Finds statements of migrations that stop running servers or the code before them.

/** The last migration from before the rule (docs/how-to/change-the-schema.md); it and earlier ones are exempt. */
export const LAST_EXEMPT = 51

export interface Migration {
  /** Name of the file, beginning with its number. */
  readonly name: string
  readonly sql: string
}

interface Rule {
  readonly refused: RegExp
  readonly why: string
  /** Whether it is allowed once no running code uses what it removes. */
  readonly contracts?: true
}

/** Names the release whose code did not use any more what the migration removes or tightens. */
const marker = /^-- contract: not used since \S+$/m

const alter = '^alter table (?:if exists )?(?:only )?(?:public\\.)?(\\w+) '
const onTable = (action: string) => new RegExp(alter + action)

const rules: readonly Rule[] = [
  {
    refused: onTable('.*\\balter column \\w+ (?:set data )?type\\b'),
    why: 'changes a type, which rewrites the table',
  },
  {
    refused: onTable('.*\\badd column (?!.*\\bdefault\\b).*\\bnot null\\b'),
    why: 'adds a required column without a default: the code before it cannot insert',
  },
  {
    refused: onTable(
      '.*\\badd column .*(?:\\bdefault\\b.*(?:random|uuid|clock_timestamp|timeofday|nextval)\\w*\\(|serial\\b|\\bas identity\\b|\\bstored\\b)',
    ),
    why: 'adds a column with a value of each row, which rewrites the table',
  },
  {
    refused: onTable('.*\\badd column .*\\b(?:unique|primary key)\\b'),
    why: 'makes an index while nothing can be written: see concurrent-indexes.sql',
  },
  {
    refused: onTable('.*\\badd constraint (?!.*(?:\\bnot valid\\b|\\busing index\\b))'),
    why: 'adds a constraint without `not valid`, and reads the whole table while nothing can be written',
  },
  { refused: onTable('.*\\bset not null\\b'), why: 'requires a column', contracts: true },
  { refused: onTable('.*\\bdrop column\\b'), why: 'drops a column', contracts: true },
  { refused: onTable('.*\\brename\\b'), why: 'renames', contracts: true },
  {
    refused: /^drop (?:table|view|materialized view) (?:if exists )?(?:public\.)?(\w+)/,
    why: 'drops',
    contracts: true,
  },
  {
    refused:
      /^create (?:unique )?index (?:concurrently )?(?:if not exists )?\w+ on (?:only )?(?:public\.)?(\w+)/,
    why: 'makes an index while nothing can be written: see concurrent-indexes.sql',
  },
  {
    refused: /^update (?:only )?(?:public\.)?(\w+) /,
    why: 'writes rows of a table in one transaction: use a job with batches',
  },
  { refused: /^(?:cluster|reindex|vacuum)\b/, why: 'rewrites a table or an index' },
]

/** Statements in small letters, without comments, bodies of functions, quotes of names and repeated space. */
function statementsOf(sql: string): string[] {
  return sql
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((it) => it.replaceAll('"', '').replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter((it) => it !== '')
}

const numberOf = ({ name }: Migration) => Number(name.slice(0, 4))

function problemsOf(migration: Migration): string[] {
  const statements = statementsOf(migration.sql)
  const created = new Set(
    statements.map((it) => /^create table (?:if not exists )?(?:public\.)?(\w+)/.exec(it)?.[1]),
  )
  const isMarked = marker.test(migration.sql)
  return statements.flatMap((statement) =>
    rules.flatMap(({ refused, why, contracts }) => {
      const found = refused.exec(statement)
      if (!found || (contracts && isMarked) || (found[1] !== undefined && created.has(found[1]))) return []
      const hint = contracts ? ' (allowed with the line `-- contract: not used since RELEASE`)' : ''
      return [`${migration.name}: ${why}${hint}: ${statement.slice(0, 100)}`]
    }),
  )
}

/** One sentence for each statement that the rule of migrations refuses. */
export function refusedStatements(migrations: readonly Migration[]): string[] {
  return migrations.filter((it) => numberOf(it) > LAST_EXEMPT).flatMap(problemsOf)
}
