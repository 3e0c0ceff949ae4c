// The reply of a command to wrong parameters.
import { ADMIN } from './admin-program.ts'
import type { CommandCall } from './command.ts'

/** @returns the exit code */
export function wrongCall(print: CommandCall['print'], usage: string): 2 {
  print(`パラメーターが正しくありません。${ADMIN} ${usage}`)
  return 2
}
