// Planted faults of the contract client, stores, device reads and lists.
import type { Fault } from '../fault.ts'

export const pageFaults: readonly Fault[] = [
  {
    name: 'the reply to another request is accepted',
    file: 'contract/client.ts',
    find: 'if (isForAnother(header, id)) return foreignResponse',
    replace: '',
    tests: ['contract/client.test.ts'],
    caughtBy: 'a response to another request is foreign',
  },
  {
    name: 'a header of the caller replaces the token',
    file: 'contract/client.ts',
    find: `      ...headers,
      Accept: 'application/json',
      ...(token !== undefined && { Authorization: \`Bearer \${token}\` }),`,
    replace: `      Accept: 'application/json',
      ...(token !== undefined && { Authorization: \`Bearer \${token}\` }),
      ...headers,`,
    tests: ['contract/client.test.ts'],
    caughtBy: 'which replace none of the contract',
  },
  {
    name: 'other servers receive a header of this project',
    file: 'contract/client.ts',
    find: "server === 'specification' ? {} : ",
    replace: '',
    tests: ['contract/client.test.ts'],
    caughtBy: 'receives none of our headers',
  },
  {
    name: 'a change during the first read of the device is lost',
    file: 'src/domain/queries/device-query.ts',
    find: `  await deviceClient.cancelQueries(one)
`,
    replace: '',
    tests: ['src/domain/queries/device-query.test.ts'],
    caughtBy: 'a change during the first read is read',
  },
  {
    name: 'a store without listeners does not end its subscription',
    file: 'src/lib/store.ts',
    find: 'if (listeners.delete(listener) && listeners.size === 0) stop?.()',
    replace: 'listeners.delete(listener)',
    tests: ['src/lib/store.test.ts'],
    caughtBy: 'watched while there are listeners',
  },
  {
    name: 'a failed step shows at the other end of a list',
    file: 'src/domain/queries/load-more.ts',
    find: 'failed: list.isFetchNextPageError,',
    replace: 'failed: list.isFetchNextPageError || list.error !== null,',
    tests: ['src/domain/queries/load-more.test.ts'],
    caughtBy: 'both ends',
  },
  {
    name: 'a conversion whose photo was deleted blocks all others',
    file: 'src/domain/media/prepare/convert.ts',
    find: 'await Promise.race([convert(media, removal.signal), removal.removed])',
    replace: 'await convert(media, removal.signal)',
    tests: ['src/domain/media/prepare/convert.test.ts'],
    caughtBy: 'does not block the next photo',
  },
  {
    name: 'a mutation overtakes earlier ones that wait in memory',
    file: 'src/domain/mutations/page-queue.ts',
    find: '!ports.isHolding() && (await ports.store(it))',
    replace: 'await ports.store(it)',
    tests: ['src/domain/mutations/page-queue.test.ts'],
    caughtBy: 'does not overtake them',
  },
]
