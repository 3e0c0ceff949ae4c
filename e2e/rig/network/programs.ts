// Finds installed programs that some stories need.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function onPath(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable)
}

/**
 * The path of a program; undefined if it is not installed.
 * @param variable an environment variable that may contain the path
 */
export function program(variable: string, names: readonly string[]): string | undefined {
  const named = process.env[variable]
  if (named) return isExecutable(named) ? named : undefined
  return onPath(names)
}

/** Whether ffmpeg is installed, with which the server makes renditions and converts unplayable videos. */
export const hasFfmpeg = (): boolean => onPath(['ffmpeg']) !== undefined
