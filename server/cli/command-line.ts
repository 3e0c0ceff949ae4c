// Runs one command of the operator with the server's environment and database.
import { FolderInUse } from '#server/adapters/database/folder-in-use.ts'
import { ProgramFailed } from '#server/adapters/database/programs.ts'
import { FolderRefused } from '#server/adapters/files/backup-folder.ts'
import { openDeps } from '#server/open-deps.ts'
import { KeysDiffer, KeysMissing } from '#server/services/keys/equal-keys.ts'
import { WrongMasterKey } from '#server/services/keys/retained.ts'
import { EnvError, readEnv } from '#server/env/env.ts'
import { UnfinishedRestore } from '#server/store/backup/restore-mark.ts'
import { SchemaNewer } from '#server/adapters/database/migrate.ts'
import { UnfinishedCopy } from '#server/store/anonymise/copy-mark.ts'
import { mustFind, NothingThere, sameAsServers } from './found.ts'
import { findCommand, findAloneCommand, runCommand, usageLines } from './commands.ts'

/** Errors with a message for the operator. */
const known = [
  EnvError,
  FolderInUse,
  FolderRefused,
  NothingThere,
  ProgramFailed,
  SchemaNewer,
  UnfinishedCopy,
  UnfinishedRestore,
  WrongMasterKey,
]

/**
 * Opens what the environment configures, runs the command, and closes it again. With the embedded database the server must
 * not be running, since the folder has one process.
 * @returns the exit code: 0 done, 1 a problem was found, 2 the call or the environment is wrong
 */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const alone = findAloneCommand(words)
  // Before the database is opened, which takes seconds.
  if (!alone && !findCommand(words)) {
    for (const it of usageLines()) console.error(it)
    return 2
  }
  process.umask(0o077)
  const print = (line: string) => console.log(line)
  try {
    const env = readEnv(process.env)
    await mustFind(env, alone?.command.needs ?? 'site')
    if (alone) return await alone.command.runAlone({ env, args: alone.args, print })
    const report = (error: unknown) => console.error(error)
    const deps = await openDeps(env, {
      failed: report,
      redis: (isConnected, why) => (isConnected ? undefined : report(why)),
      realtime: (isConnected, why) => (isConnected ? undefined : report(why)),
    })
    try {
      return await runCommand(words, { deps, print })
    } finally {
      await deps.close()
    }
  } catch (error) {
    if (error instanceof KeysDiffer || error instanceof KeysMissing) {
      // Without the advice for a server: the environment of the command is what is wrong.
      console.error(error.what + sameAsServers)
      return 2
    }
    const ofOperator = known.find((it) => error instanceof it)
    if (!ofOperator || !(error instanceof Error)) throw error
    console.error(error.message)
    return 2
  }
}
