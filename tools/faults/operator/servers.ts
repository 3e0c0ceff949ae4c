// Planted faults in what several servers share: keys, roles, locks of uploads.
import type { Fault } from '../fault.ts'

export const serversFaults: readonly Fault[] = [
  {
    name: 'a server that was paused writes after the next holder of the lock',
    file: 'server/modules/uploads/receiving.ts',
    find: `    hold.mustLast()
`,
    replace: '',
    tests: ['server/paused-server.long.test.ts'],
    caughtBy: 'writes no byte any more',
  },
  {
    name: 'a release frees the lock of another server',
    file: 'server/adapters/files/shared-upload-locks.ts',
    find: "const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then",
    replace: 'const RELEASE = `if KEYS[1] then',
    tests: ['server/adapters/files/upload-locks.test.ts'],
    caughtBy: 'leaves the lock of the next holder',
  },
  {
    name: 'a server with other keys than the others starts',
    file: 'server/services/keys/equal-keys.ts',
    find: `  if (!key.others.includes(stored)) throw new KeysDiffer(name, stored)
`,
    replace: '',
    tests: ['server/server-keys.test.ts'],
    caughtBy: 'refuses a server with another one',
  },
  {
    name: 'a web process takes jobs',
    file: 'server/serve.ts',
    find: "if (env.ROLE !== 'web')",
    replace: 'if (env.ROLE.length > 0)',
    tests: ['server/server-roles.long.test.ts'],
    caughtBy: 'takes no job itself',
  },
  {
    name: 'a server that stops ends idle connections while a proxy sends requests on them',
    file: 'server/close-port.ts',
    find: 'Server.prototype.close.call(server)',
    replace: 'server.close()',
    tests: ['server/drain.long.test.ts'],
    caughtBy: 'a connection that a proxy has not used since the signal',
  },
  {
    name: 'a port is closed before the connections that wait are accepted',
    file: 'server/close-port.ts',
    find: '  await immediate()\n  await immediate()\n',
    replace: '  await immediate()\n',
    tests: ['server/close-port.test.ts'],
    caughtBy: 'a connection that the system has made just before gets its reply',
  },
]
