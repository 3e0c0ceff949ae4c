// Planted faults of the server.
import type { Fault } from './fault.ts'

export const serverFaults: readonly Fault[] = [
  {
    name: 'a deletion cancelled after it was listed removes the files',
    file: 'server/modules/leaving/erase.ts',
    find: 'if (!(await transaction(({ tx }) => beginDeletion(tx, userId, clock())))) return',
    replace: 'await transaction(({ tx }) => beginDeletion(tx, userId, clock()))',
    tests: ['server/modules/leaving/erase.test.ts'],
    caughtBy: 'cancelled after it was listed',
  },
  {
    name: 'an identity check that fails leaves its sealed files',
    file: 'server/modules/identity/submit.ts',
    find: `  } finally {
    for (const { temporaryPath } of sealed) await deps.files.remove(temporaryPath)
  }`,
    replace: '  } finally {\n  }',
    tests: ['server/modules/identity/submit.test.ts'],
    caughtBy: 'leaves no sealed file',
  },
  {
    name: 'each count in Redis begins its window again',
    file: 'server/adapters/counts.ts',
    find: `if current == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end`,
    replace: `redis.call('PEXPIRE', KEYS[1], ARGV[1])`,
    tests: ['server/adapters/counts.test.ts'],
    caughtBy: 'does not extend its window',
  },
  {
    name: 'a grant of a channel is good for hours',
    file: 'server/adapters/realtime/signature.ts',
    find: 'const GRANT_MS = 60_000',
    replace: 'const GRANT_MS = 60_000_000',
    tests: ['server/adapters/realtime/signature.test.ts'],
    caughtBy: 'stale afterwards',
  },
  {
    name: 'a chunk is counted by two servers',
    file: 'server/store/posts/chunked.ts',
    find: '.where(and(eq(uploads.id, id), eq(uploads.received, chunk)))',
    replace: '.where(and(eq(uploads.id, id)))',
    tests: ['server/store/store.test.ts'],
    caughtBy: 'only the next chunk is counted, and only once',
  },
  {
    name: 'twenty images are refused',
    file: 'server/rules/composition.ts',
    find: 'if (images.length > MAX_IMAGES)',
    replace: 'if (images.length >= MAX_IMAGES)',
    tests: ['server/rules/composition.test.ts'],
    caughtBy: 'a post has at most twenty images, over all fields',
  },
  {
    name: 'any number of images is a post',
    file: 'server/rules/composition.ts',
    find: "  if (images.length > MAX_IMAGES) return refused('image_file[]', 'too_long')\n",
    replace: '',
    tests: ['server/rules/composition.test.ts'],
    caughtBy: 'a post has at most twenty images, over all fields',
  },
  {
    name: 'a cache may serve a reply to another origin',
    file: 'server/http/cors.ts',
    find: "    reply.header('vary', 'Origin')\n",
    replace: '',
    tests: ['server/http/http.test.ts'],
    caughtBy: 'only a configured origin is allowed',
  },
  {
    name: 'a copied passkey is accepted beside the original',
    file: 'server/store/accounts/passkeys.ts',
    find: '.where(and(eq(passkeys.id, id), grown))',
    replace: '.where(and(eq(passkeys.id, id), sql`(${grown} or true)`))',
    tests: ['server/store/accounts/passkeys.test.ts'],
    caughtBy: 'used concurrently with one counter is accepted once',
  },
  {
    name: 'a Greek word is not found by its other last letter',
    file: 'contract/text/fold.ts',
    find: "    .replaceAll('ς', 'σ')\n",
    replace: '',
    tests: ['contract/text/fold.test.ts'],
    caughtBy: 'spellings that search treats as equal',
  },
]
