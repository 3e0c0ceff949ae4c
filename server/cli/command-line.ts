// Runs one command of the operator with the server's environment and database.
import { ProgramFailed } from '#server/adapters/database/programs.ts'
import { FolderRefused } from '#server/adapters/files/backup-folder.ts'
import { openDeps } from '#server/open-deps.ts'
import { KeysDiffer, KeysMissing } from '#server/services/keys/equal-keys.ts'
import { EnvError, readEnv } from '#server/env/env.ts'
import { startSentence, UNFORESEEN_IN_COMMAND } from '#server/start-errors.ts'
import { mustFind, NothingThere, sameAsServers } from './found.ts'
import { findCommand, findAloneCommand, runCommand, usageLines } from './commands.ts'

/** Errors of commands alone whose message is the sentence. */
const ofCommands = [EnvError, FolderRefused, NothingThere, ProgramFailed]

/** The sentence about an error that the operator can fix; undefined for other errors. */
function sentenceOf(error: unknown): string | undefined {
  // Without the advice for a server: the environment of the command is what is wrong.
  if (error instanceof KeysDiffer || error instanceof KeysMissing) return error.what + sameAsServers
  if (error instanceof Error && ofCommands.some((it) => error instanceof it)) return error.message
  return startSentence(error, readEnv(process.env))
}

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
    const sentence = sentenceOf(error)
    console.error(sentence ?? UNFORESEEN_IN_COMMAND)
    if (sentence === undefined) console.error(error)
    return 2
  }
}
