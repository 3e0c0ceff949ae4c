// Planted faults in copies of the database without personal data.
import type { Fault } from '../fault.ts'

const copies = ['server/cli/database.long.test.ts']
const refusals = ['server/cli/database-refusals.test.ts']

const moves = ['server/cli/database-move.long.test.ts']

export const copyFaults: readonly Fault[] = [
  {
    name: 'an anonymised copy keeps the texts of profiles',
    file: 'server/store/personal/people.ts',
    find: "      quoted: { text: (bio) => bio },\n      erased: { to: '' },\n      anonymised: 'text',",
    replace: "      quoted: { text: (bio) => bio },\n      erased: { to: '' },\n      anonymised: 'keep',",
    tests: copies,
    caughtBy: 'has a text, address or name of before',
  },
  {
    name: 'the rows of before stay in the files of an anonymised copy',
    file: 'server/modules/anonymise/anonymise.ts',
    find: "  await rewriteFiles(call, 'vacuum (full, analyze, verbose)')\n",
    replace: '',
    tests: copies,
    caughtBy: 'has a text, address or name of before',
  },
  {
    name: 'rows that another session still sees stay in the files of an anonymised copy',
    file: 'server/modules/anonymise/anonymise.ts',
    find: '    if (details?.every((it) => !(Number.parseInt(it, 10) > 0))) return\n',
    replace: '    if (details) return\n',
    tests: copies,
    caughtBy: 'another session still sees',
  },
  {
    name: 'a copy is not anonymised because its statistics were rewritten meanwhile',
    file: 'server/modules/anonymise/anonymise.ts',
    find: '      if (!lostStatistics(error)) throw error\n',
    replace: '      throw error\n',
    tests: ['server/modules/anonymise/anonymise.test.ts'],
    caughtBy: 'after statistics were rewritten',
  },
  {
    name: 'the statistics of emptied tables keep their frequent values',
    file: 'server/modules/anonymise/anonymise.ts',
    find: '    await removeStatistics(tx)\n',
    replace: '',
    tests: copies,
    caughtBy: 'has a text, address or name of before',
  },
  {
    name: 'a server starts on a copy whose earlier rows are still in its files',
    file: 'server/store/anonymise/copy-mark.ts',
    find: "if (state === 'copy' || state === 'rewritten') throw",
    replace: "if (state === 'copy') throw",
    tests: copies,
    caughtBy: 'killed before the old rows are removed',
  },
  {
    name: 'a database without the mark of a copy is anonymised',
    file: 'server/cli/database.ts',
    find: '...(state === undefined\n',
    replace: "...(state === 'copy' && confirmed === ''\n",
    tests: refusals,
    caughtBy: 'a database without the mark',
  },
  {
    name: 'a database that arrives with other contents counts as moved',
    file: 'server/adapters/database/moving/move-rows.ts',
    find: 'read.rows !== written.rows || read.digest !== written.digest',
    replace: 'read.rows !== written.rows',
    tests: moves,
    caughtBy: 'a table that arrives with other contents',
  },
  {
    name: 'triggers stay disabled in a database that was moved',
    file: 'server/adapters/database/moving/move-rows.ts',
    find: '  await all(triggers.enable)\n',
    replace: '',
    tests: moves,
    caughtBy: 'moves every table',
  },
  {
    name: 'numbers begin again in a database that was moved',
    file: 'server/adapters/database/moving/move-rows.ts',
    find: '[name, last, isCalled]',
    replace: "[name, '1', isCalled]",
    tests: moves,
    caughtBy: 'moves every table',
  },
  {
    name: 'a killed run of database move leaves half of the tables',
    file: 'server/adapters/database/moving/move-rows.ts',
    find: "    await client.query('begin')\n",
    replace: '',
    tests: moves,
    caughtBy: 'a run that is killed',
  },
  {
    name: 'database move replaces the rows of people',
    file: 'server/cli/database-move.ts',
    find: "return isMade && (await count('select from users limit 1')) > 0",
    replace: 'return isMade && (await count(`select where false`)) > 0',
    tests: moves,
    caughtBy: 'moves every table',
  },
]
