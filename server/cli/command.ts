// What a command of the operator's command line is.
import type { Deps } from '#server/deps.ts'
import type { Env } from '#server/env/env.ts'
import type { Needs } from './found.ts'

export interface CommandCall {
  readonly deps: Deps
  /** Words after the name of the command. */
  readonly args: readonly string[]
  /** Prints a line. */
  readonly print: (line: string) => void
}

export interface Command {
  /** Words after the name of the program, with those of its parameters. */
  readonly usage: string
  readonly summary: string
  /** @returns the exit code: 0 done, 1 a problem was found, 2 the parameters are wrong */
  readonly run: (call: CommandCall) => Promise<number>
}

/** A command that opens by itself what it needs, in place of everything that the environment configures. */
export interface AloneCommand extends Pick<Command, 'usage' | 'summary'> {
  readonly needs: Needs
  readonly runAlone: (call: Omit<CommandCall, 'deps'> & { readonly env: Env }) => Promise<number>
}
