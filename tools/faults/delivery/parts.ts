// Planted faults: numbered parts of uploads, and capabilities.
import type { Fault } from '../fault.ts'

const parts = 'server/modules/uploads/parts.test.ts'
const capability = 'server/modules/uploads/capability.test.ts'
const writes = 'server/modules/uploads/part-writes.ts'

export const partFaults: readonly Fault[] = [
  {
    name: 'bytes that come again overwrite those of a part that are stored',
    file: writes,
    find: 'write({ id, no, size }, before, { pieces, isChecked })',
    replace: 'write({ id, no, size }, from ?? 0, { pieces: limited, isChecked })',
    tests: [parts],
    caughtBy: 'may come again from the first byte, and leave the stored bytes as they are',
  },
  {
    name: 'a part with another digest than it names is stored',
    file: writes,
    find: "if (hash.digest('base64') !== sha256) throw new ApiError('digest_mismatch')",
    replace: "hash.digest('base64')",
    tests: [parts],
    caughtBy: 'that differs is refused with digest_mismatch, and no byte counts',
  },
  {
    name: 'bytes of a body with a digest count when its connection is cut',
    file: writes,
    find: "if (bytes !== undefined && received < bytes) throw new ApiError('body_incomplete')",
    replace: 'if (bytes !== undefined && received < bytes) return',
    tests: ['server/modules/uploads/part-network.test.ts'],
    caughtBy: 'of a body with a digest that was cut nothing counts',
  },
  {
    name: 'the last part makes an upload with gaps look whole',
    file: 'server/adapters/files/parts-file.ts',
    find: 'file + SUFFIX',
    replace: 'file',
    tests: [parts],
    caughtBy: 'is refused with upload_incomplete while a part is missing, also when the last one is there',
  },
  {
    name: 'an upload is finished with its last part, whatever is missing before it',
    file: writes,
    find: 'return bytes === length',
    replace: 'return bytes > 0',
    tests: [parts],
    caughtBy: 'are told with what is stored of each, and finished only with all',
  },
  {
    name: 'a capability sends parts of every upload of its owner',
    file: 'server/modules/uploads/capability.ts',
    find: '`${uploadId} ${sessionId}`',
    replace: '`${uploadId.slice(36)} ${sessionId}`',
    tests: [capability],
    caughtBy: 'sends no part of another upload, of the same person or of another one',
  },
  {
    name: 'a capability of a suspended account goes on',
    file: 'server/store/accounts/session-owner.ts',
    find: 'and u.suspended_at is null and d.due_at is null',
    replace: 'and d.due_at is null',
    tests: [capability],
    caughtBy: 'is suspended',
  },
  {
    name: 'the bytes of a film that others see can be replaced once they are lost',
    file: 'server/store/media/upload-parts.ts',
    find: 'isNotNull(uploads.finishedAt), notExists(made))',
    replace: 'isNotNull(uploads.finishedAt), made && undefined)',
    tests: [parts],
    caughtBy: 'of a media that is made are not asked for',
  },
  {
    name: 'bytes of a part count at the end of their request alone',
    file: 'server/adapters/files/part-bytes.ts',
    find: '!isChecked && Date.now() - countedAt',
    replace: 'false && Date.now() - countedAt',
    tests: ['server/adapters/files/part-bytes.test.ts'],
    caughtBy: 'bytes of a slow body count after two seconds',
  },
  {
    name: 'bytes with a digest count before it is checked',
    file: 'server/adapters/files/part-bytes.ts',
    find: '!isChecked && Date.now() - countedAt',
    replace: 'Date.now() - countedAt',
    tests: ['server/adapters/files/part-bytes.test.ts'],
    caughtBy: 'no byte of a body with a digest counts before its end',
  },
  {
    name: 'both lanes of an upload begin alike',
    file: 'sw/queue/requests/parts.ts',
    find: 'const FIRST_PIECES = [1, 1 / 4]',
    replace: 'const FIRST_PIECES = [1, 1]',
    tests: ['sw/queue/requests/parts.test.ts'],
    caughtBy: 'the second lane begins with a quarter of a piece',
  },
  {
    name: 'the offset of an upload in parts is recorded as all that the server has',
    file: 'sw/queue/requests/tus.ts',
    find: 'Number.isNaN(offset) || parts) return',
    replace: 'Number.isNaN(offset)) return',
    tests: ['sw/queue/requests/parts.test.ts'],
    caughtBy: 'of a begun upload only the bytes are sent that the server lacks',
  },
]
