// Runs one command to its end, and returns its output and its duration.
import { spawn } from 'node:child_process'

export interface CommandResult {
  readonly code: number
  readonly output: string
  readonly seconds: number
}

interface Options {
  /** Also print the output as it arrives. */
  readonly loud?: boolean
  readonly env?: NodeJS.ProcessEnv
}

/**
 * Runs a command in the project's folder.
 * @param command the program and its arguments; programs of node_modules/.bin are on PATH under npm scripts
 * @returns exit code (1 when a signal ended it or it could not start), both streams in order of arrival, seconds
 */
export async function run(command: readonly string[], options: Options = {}): Promise<CommandResult> {
  const [program = '', ...args] = command
  const began = performance.now()
  const output: string[] = []
  const code = await new Promise<number>((done) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, FORCE_COLOR: options.loud && process.stdout.isTTY ? '1' : '0', ...options.env },
    })
    const collect = (text: string): void => {
      output.push(text)
      if (options.loud) process.stdout.write(text)
    }
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)
    child.on('error', (error) => {
      collect(`${program}: ${error.message}\n`)
      done(1)
    })
    child.on('close', (status) => done(status ?? 1))
  })
  return { code, output: output.join(''), seconds: (performance.now() - began) / 1000 }
}
