// Runs one command of the operator with the server's environment and database.
import { FolderInUse } from '#server/adapters/database/folder-lock.ts'
import { openDeps } from '#server/deps.ts'
import { WrongMasterKey } from '#server/services/keys/retained.ts'
import { EnvError, readEnv } from '#server/env/env.ts'
import { findCommand, runCommand, usageLines } from './commands.ts'

/**
 * Opens what the environment configures, runs the command, and closes it again. With the embedded database the server must
 * not be running, since the folder has one process.
 * @returns the exit code: 0 done, 1 a problem was found, 2 the call or the environment is wrong
 */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  // Before the database is opened, which takes seconds.
  if (!findCommand(words)) {
    for (const it of usageLines()) console.error(it)
    return 2
  }
  process.umask(0o077)
  try {
    const report = (error: unknown) => console.error(error)
    const deps = await openDeps(readEnv(process.env), {
      failed: report,
      redis: (isConnected, why) => (isConnected ? undefined : report(why)),
      realtime: (isConnected, why) => (isConnected ? undefined : report(why)),
    })
    try {
      return await runCommand(words, { deps, print: (line) => console.log(line) })
    } finally {
      await deps.close()
    }
  } catch (error) {
    const ofOperator = [EnvError, FolderInUse, WrongMasterKey].find((it) => error instanceof it)
    if (!ofOperator || !(error instanceof Error)) throw error
    console.error(error.message)
    return 2
  }
}
