// The commands of the operator's command line, by their names.
import { auditVerify } from './audit-verify.ts'
import { backupCreate } from './backup/create.ts'
import { backupErasures } from './backup/erasures.ts'
import { backupRestore } from './backup/restore.ts'
import { backupSettle } from './backup/settle.ts'
import { backupVerify } from './backup/verify.ts'
import { ADMIN } from './admin-program.ts'
import type { Command, CommandCall, AloneCommand } from './command.ts'
import { databaseAnonymise } from './database.ts'
import { databaseMove } from './database-move.ts'
import { jobsDrop, jobsList, jobsRetry } from './jobs.ts'
import { keyReplace } from './key-replace.ts'
import { keyVapid } from './key-vapid.ts'
import { keyDrop, keyList, keyReseal, keyRotate } from './keys.ts'
import { moneyCheck } from './money-check.ts'
import { storageCheck } from './storage.ts'
import { storageMove } from './storage-move.ts'
import { staffAdd } from './staff-add.ts'
import { staffLink } from './staff-link.ts'

/** One row for each command, each in a file of its own. */
export const commands: Readonly<Record<string, Command>> = {
  'audit verify': auditVerify,
  'jobs list': jobsList,
  'jobs retry': jobsRetry,
  'jobs drop': jobsDrop,
  'key list': keyList,
  'key rotate': keyRotate,
  'key reseal': keyReseal,
  'key drop': keyDrop,
  'money check': moneyCheck,
  'staff add': staffAdd,
  'staff link': staffLink,
  'storage check': storageCheck,
  'storage move': storageMove,
}

/** Those that open by themselves what they need. */
export const aloneCommands: Readonly<Record<string, AloneCommand>> = {
  'backup create': backupCreate,
  'backup restore': backupRestore,
  'backup settle': backupSettle,
  'backup verify': backupVerify,
  'backup erasures': backupErasures,
  'database anonymise': databaseAnonymise,
  'database move': databaseMove,
  'key replace': keyReplace,
  'key vapid': keyVapid,
}

interface Found<C> {
  readonly command: C
  readonly args: readonly string[]
}

function findIn<C>(all: Readonly<Record<string, C>>, words: readonly string[]): Found<C> | undefined {
  const name = words.slice(0, 2).join(' ')
  const command = Object.hasOwn(all, name) ? all[name] : undefined
  return command && { command, args: words.slice(2) }
}

/** The command that the words begin with, and the words after its name; undefined when there is none. */
export const findCommand = (words: readonly string[]): Found<Command> | undefined => findIn(commands, words)
export const findAloneCommand = (words: readonly string[]): Found<AloneCommand> | undefined =>
  findIn(aloneCommands, words)

/** How the command line is used, a line for each command. */
export const usageLines = (): string[] => [
  '使い方:',
  ...[...Object.values(commands), ...Object.values(aloneCommands)].map(
    (it) => `  ${ADMIN} ${it.usage}\n      ${it.summary}`,
  ),
]

/** Runs a command by its words. @returns the exit code */
export async function runCommand(
  words: readonly string[],
  { deps, print }: Omit<CommandCall, 'args'>,
): Promise<number> {
  const found = findCommand(words)
  if (found) return found.command.run({ deps, args: found.args, print })
  for (const it of usageLines()) print(it)
  return 2
}
