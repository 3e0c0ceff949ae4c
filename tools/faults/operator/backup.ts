// Planted faults in backups, restores and delayed removals.
import type { Fault } from '../fault.ts'

const rule = 'server/rules/backup/removals.ts'
const ruled = ['server/rules/backup/removals.test.ts']
const kept = 'server/services/backup/kept-objects.ts'
const waiting = ['server/kept-objects.test.ts']
const made = ['server/cli/backup/backup.test.ts']
const drill = ['server/backup-drill.test.ts']
const embedded = ['server/backup-embedded.test.ts']

export const backupFaults: readonly Fault[] = [
  {
    name: 'objects are removed on the day on which the last backup is deleted',
    file: rule,
    find: 'const MARGIN_DAYS = 2',
    replace: 'const MARGIN_DAYS = 0',
    tests: ruled,
    caughtBy: 'waits two days longer than the oldest backup is kept',
  },
  {
    name: 'plain documents wait for the end of the backups',
    file: rule,
    find: 'upload.isDocument || ',
    replace: '',
    tests: ruled,
    caughtBy: 'of an identity check is removed at once',
  },
  {
    name: 'sweeps of files without a row find those that wait for their removal',
    file: kept,
    find: 'page.filter(({ name }) => !waiting.has(`${prefix}/${name}`))',
    replace: 'page',
    tests: waiting,
    caughtBy: 'a removed media is stored for 16 days more',
  },
  {
    name: 'an object is removed although its id is used again',
    file: kept,
    find: 'id !== undefined && !(await isNeededAgain(db, prefix, id))',
    replace: 'id !== undefined',
    tests: waiting,
    caughtBy: 'an upload whose id is used again meanwhile stays',
  },
  {
    name: 'what waits of an erased account stays',
    file: 'server/modules/leaving/erase.ts',
    find: '  for (const key of ownFiles.waiting) await removeAll(deps.storage.objects, key)\n',
    replace: '',
    tests: waiting,
    caughtBy: 'what waits of an erased account is removed with it',
  },
  {
    name: 'an erased account is not in the log of erasures',
    file: 'server/modules/leaving/erase.ts',
    find: "  await logErasure(deps.storage, { is: 'account', id: userId })\n",
    replace: '',
    tests: waiting,
    caughtBy: 'the log of erasures has the account',
  },
  {
    name: 'the dump is of another moment than the list of objects',
    file: 'server/adapters/database/programs.ts',
    find: ', `--snapshot=${snapshot}`]',
    replace: ", ...(snapshot === '' ? [snapshot] : [])]",
    tests: made,
    caughtBy: 'agrees with one moment',
  },
  {
    name: 'an object of a row that was deleted meanwhile is lost',
    file: 'server/services/backup/create.ts',
    find: 'if (known.has(it.id) && (await objects.sizeOf(it.key)) === undefined)',
    replace: 'if (known.has(it.id) || (await objects.sizeOf(it.key)) === undefined)',
    tests: made,
    caughtBy: 'agrees with one moment',
  },
  {
    name: 'a backup has documents that are not encrypted',
    file: 'server/services/backup/needed-objects.ts',
    find: "listFinishedUploads(db, after, 'without_documents')",
    replace: 'listFinishedUploads(db, after)',
    tests: made,
    caughtBy: 'has no document that is not encrypted yet',
  },
  {
    name: 'a copy with other bytes of the same length is whole',
    file: 'server/services/backup/verify.ts',
    find: 'copy.size === size && (quick || copy.sha256 === sha256)',
    replace: 'copy.size === size',
    tests: made,
    caughtBy: 'each change of its files is found',
  },
  {
    name: 'a backup that was killed is read',
    file: 'server/adapters/files/backup-folder.ts',
    find: 'if (path.basename(folder).endsWith(PARTIAL))',
    replace: "if (path.basename(folder) === '')",
    tests: made,
    caughtBy: 'that is killed leaves a folder with .partial',
  },
  {
    name: 'emails that waited at the backup are sent again',
    file: 'server/store/backup/after-restore.ts',
    find: "'letter.send': 'dropped'",
    replace: "'letter.send': 'again'",
    tests: drill,
    caughtBy: 'sends no email and no push a second time',
  },
  {
    name: 'a restore does not repeat erasures',
    file: 'server/cli/backup/restore.ts',
    find: 'const count = await repeatErasures(deps)',
    replace: 'const count = deps ? 1 : await repeatErasures(deps)',
    tests: drill,
    caughtBy: 'does not have the account that was erased after the backup',
  },
  {
    name: 'a database with rows is replaced without a confirmation',
    file: 'server/cli/backup/target.ts',
    find: 'isFilled && !isBegun && confirmed !== name',
    replace: 'isFilled && isBegun && confirmed !== name',
    tests: drill,
    caughtBy: 'refuses another restore over its rows',
  },
  {
    name: 'an erasure that is repeated sends its email again',
    file: 'server/modules/leaving/erase.ts',
    find: 'if (!isSilent) await email',
    replace: 'await email',
    tests: embedded,
    caughtBy: 'an erasure of the given file is repeated',
  },
  {
    name: 'a backup of a newer version is restored',
    file: 'server/cli/backup/restore.ts',
    find: '  refuseUnknown(manifest.migrations, migrationsFolder)\n',
    replace: '  refuseUnknown([], migrationsFolder)\n',
    tests: embedded,
    caughtBy: 'from a newer version',
  },
  {
    name: 'a restore makes a new master key',
    file: 'server/cli/backup/restore.ts',
    find: '  await refuseOtherKeys(env, manifest.keys)\n',
    replace: '  await refuseOtherKeys(env, {})\n',
    tests: embedded,
    caughtBy: 'without the master key, or with another one',
  },
  {
    name: 'a server starts on a database that is half restored',
    file: 'server/open-database.ts',
    find: '    await refuseUnfinishedRestore(database.db)\n',
    replace: '',
    tests: embedded,
    caughtBy: 'no server starts on a database that a restore has begun',
  },
]
