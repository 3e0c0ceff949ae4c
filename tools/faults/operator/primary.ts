// Faults in what notices a PostgreSQL server that vanished, and in what returns broken connections.
import type { Fault } from '../fault.ts'

const watch = 'server/adapters/database/primary/watch.ts'
const database = 'server/adapters/database/database.ts'
const frozen = 'server/frozen-primary.long.test.ts'
const vanished = 'server/vanished-primary.long.test.ts'
const eachFails = 'makes each of them fail as without a database'

export const primaryFaults: readonly Fault[] = [
  {
    name: 'statements on a frozen PostgreSQL wait for the operating system',
    file: watch,
    find: `  last.at = now
  return true`,
    replace: '  return false',
    tests: [frozen],
    caughtBy: eachFails,
  },
  {
    name: 'connections to the former primary go on after the address has moved',
    file: watch,
    find: `    if (found.is === 'server') breakAs('moved', found.start)\n`,
    replace: '',
    tests: [vanished],
    caughtBy: 'requests that wait for it are answered',
  },
  {
    name: 'connections to the present primary end because others lead to the former one',
    file: 'server/adapters/database/primary/connections.ts',
    find: 'start === undefined || !leadsTo(start, it)',
    replace: 'true',
    tests: [vanished],
    caughtBy: 'those to another server are broken, and no others',
  },
  {
    name: 'a long statement ends although other connections reply',
    file: watch,
    find: `found !== 'no reply' || `,
    replace: '',
    tests: [frozen],
    caughtBy: 'does not end a long statement',
  },
  {
    name: 'prepared reads wait on a frozen PostgreSQL',
    file: database,
    find: 'openSharedConnections(url, { connections })',
    replace: 'openSharedConnections(url)',
    tests: [frozen],
    caughtBy: eachFails,
  },
  {
    name: 'a connection whose transaction could not begin is lost for the pool',
    file: 'server/adapters/database/connecting.ts',
    find: `  return client.once('end', ended)`,
    replace: '  return client',
    tests: [frozen],
    caughtBy: eachFails,
  },
]
