// Finds the programs that some stories want.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function onPath(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(runs)
}

/**
 * The path of a program, undefined when it is not installed.
 * @param variable an environment variable that may name it
 */
export function program(variable: string, names: readonly string[]): string | undefined {
  const named = process.env[variable]
  if (named) return runs(named) ? named : undefined
  return onPath(names)
}

/** Whether the server finds the program for smaller renditions and for what no browser plays. */
export const hasFfmpeg = (): boolean => onPath(['ffmpeg']) !== undefined
